import type * as node from '../../platform/warn.ts'

/** Warns the owner of the page or of the worker of an error that no caller waits for. */
export const warn: typeof node.warn = (error) => console.warn(error)
