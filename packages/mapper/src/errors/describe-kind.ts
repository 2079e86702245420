/** Describes the kind of a value for a message, without its content, which may be private. */
export function describeKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
