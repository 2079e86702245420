const LETTERS = /^(?=.)r?a?u?d?$/

/** Whether text can be the permissions of a table's signature: letters of `raud`, in that order. */
export function isTablePermissions(text: string): boolean {
  return LETTERS.test(text)
}
