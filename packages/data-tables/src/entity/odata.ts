/**
 * Writes a filter with its values escaped: a string gets its quotes, unless the template has them, and a Date
 * becomes a `datetime` literal.
 *
 * @param strings - the texts of the template
 * @param values - its values
 *
 * @example
 * ```ts
 * odata`PartitionKey eq ${"O'Brien"} and hired gt ${new Date(0)}`
 * // PartitionKey eq 'O''Brien' and hired gt datetime'1970-01-01T00:00:00.000Z'
 * ```
 */
export function odata(strings: TemplateStringsArray, ...values: unknown[]): string {
  return strings
    .map((text, index) => (index < values.length ? text + literal(values[index], text) : text))
    .join('')
}

function literal(value: unknown, before: string): string {
  if (value instanceof Date) return `datetime'${value.toISOString()}'`
  if (typeof value === 'bigint') return `${value}L`
  if (typeof value !== 'string') return String(value)
  const escaped = value.replaceAll("'", "''")
  // A value that is the whole filter, or inside quotes of the template, is not quoted again.
  return before === '' || before.trimEnd().endsWith("'") ? escaped : `'${escaped}'`
}
