const BACKSLASH = 0x5c

/** Where the JSON string that begins at `start` has ended: one past its closing quote. */
export function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1)
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}
