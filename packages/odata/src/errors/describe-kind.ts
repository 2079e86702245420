/**
 * Names the kind of a value for a message, and never the value: it may be secret.
 *
 * @param value - any value
 *
 * @example
 * ```ts
 * describeKind(5) // 'a value of type number'
 * ```
 */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
