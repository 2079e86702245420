/** A quote, a colon, and a number that is whole and written as a Double: `":3.0`, `":1E3`. */
const WHOLE_DOUBLE = /"[ \t\r\n]*:[ \t\r\n]*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)(?=[ \t\r\n,\]}])/g

/** What a property may be called, as JSON spells it. */
const NAME = /^(?:[^\p{Cc}"@:,[\]{}\\]|\\u[0-9a-fA-F]{4})+$/u

/** The end of a member that says the type of the one after it. */
const ANNOTATION = /"([^"]*)@odata\.type"[ \t\r\n]*:[ \t\r\n]*"Edm\.\w+"[ \t\r\n]*,[ \t\r\n]*$/

/** Room for an annotation around the name: `"@odata.type":"Edm.DateTime",` and some blanks. */
const ANNOTATION_LENGTH = 64

/**
 * Parses the JSON of an entity, a page or a request, and keeps what `JSON.parse` alone loses: that
 * a whole number was written as a Double (`3.0`), by its `P@odata.type` of `Edm.Double`.
 *
 * Members whose type is said right before or after them are left as they are, and services say it
 * right before. Everything else is as `JSON.parse` makes it.
 *
 * @param text - JSON without a byte order mark
 * @throws `SyntaxError` when the text is not JSON
 *
 * @example
 * ```ts
 * parseEntityJson('{"price":3.0,"count":3}')
 * // { 'price@odata.type': 'Edm.Double', price: 3, count: 3 }
 * ```
 */
export function parseEntityJson(text: string): unknown {
  return JSON.parse(text.replace(WHOLE_DOUBLE, annotate))
}

/**
 * Writes the type before a member, once its name has been read: its closing quote is where the match
 * begins, so the rest of the annotation and the name once more go there.
 */
function annotate(match: string, at: number, text: string): string {
  const name = nameBefore(text, at)
  return name === undefined ? match : `@odata.type":"Edm.Double","${name}${match}`
}

/**
 * The name that the quote at `end` closes; `undefined` when that quote closes no name, or the member
 * already says its type.
 *
 * Why text inside a string never passes for a name. The quote before is a true one, since no backslash
 * precedes it. If it closed a string, what stands between it and `end` would hold one of
 * `: , [ ] { }`, and those are not in a name. So it opens one; a name holds no other backslash, so the
 * quote at `end` closes it; and only a string that names a member has a colon after it.
 */
function nameBefore(text: string, end: number): string | undefined {
  const open = text.lastIndexOf('"', end - 1)
  if (open < 0 || text[open - 1] === '\\') return undefined
  const name = text.slice(open + 1, end)
  if (!NAME.test(name)) return undefined
  return isAnnotated(text, open, name) ? undefined : name
}

function isAnnotated(text: string, open: number, name: string): boolean {
  // Most members come right after a number or at the start, and then there is nothing to look for.
  if (text[open - 1] === '{' || /\d/.test(text[open - 2] ?? '')) return false
  const before = text.slice(Math.max(0, open - name.length - ANNOTATION_LENGTH), open)
  return ANNOTATION.exec(before)?.[1] === name
}
