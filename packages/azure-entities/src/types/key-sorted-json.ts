/**
 * Prints JSON whose objects have their members in the order of their names (UTF-16), so that equal values
 * have equal texts. It prints everything else as `JSON.stringify` does.
 *
 * @param value - a value that JSON can hold
 *
 * @example
 * ```ts
 * keySortedJson({ b: 1, a: [{ d: 1, c: null }] }) // '{"a":[{"c":null,"d":1}],"b":1}'
 * ```
 */
export function keySortedJson(value: unknown): string {
  // The round trip applies toJSON and drops what JSON drops.
  return print(JSON.parse(JSON.stringify(value)))
}

function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(byName)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${print(member)}`).join()}}`
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1
