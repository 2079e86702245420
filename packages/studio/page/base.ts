/** The path that the studio is below, with slashes at both ends: a proxy may give it one. */
export const BASE: string = document.documentElement.dataset.base ?? '/'
