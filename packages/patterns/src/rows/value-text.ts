/** Prints a value so that equal values have the same text, and others do not. A missing value equals `null`. */
export function valueText(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${value.join()}`
  return `${typeof (value ?? undefined)} ${JSON.stringify(value ?? undefined, asText)}`
}

/** JSON has neither bigints nor -0, NaN and infinite numbers. */
function asText(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  return `${typeof value} ${Object.is(value, -0) ? '-0' : value}`
}
