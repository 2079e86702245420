/** What kind of value something is, for a message; its content may be private. */
export function describeKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
