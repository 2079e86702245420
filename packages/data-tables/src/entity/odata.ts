import { describeKind, type EdmType, EntityProperty, edmCodecs } from '@rowkey/odata'
import { invalidArgument } from '../errors/check-arguments.ts'
import { type GivenEdm, isEdmValue } from './edm-value.ts'

/**
 * Writes a filter with its values escaped: a string gets its quotes and a bigint its `L`, unless the template has them.
 * Dates, bytes and values with a type such as `{ type: 'Guid', value }` become literals of their types.
 *
 * @param strings - the texts of the template
 * @param values - its values
 * @throws InputError for a value that no filter can have, such as `undefined` or an object
 *
 * @example
 * ```ts
 * odata`PartitionKey eq ${"O'Brien"} and hired gt ${new Date(0)}`
 * // PartitionKey eq 'O''Brien' and hired gt datetime'1970-01-01T00:00:00.000Z'
 * ```
 */
export function odata(strings: TemplateStringsArray, ...values: unknown[]): string {
  return strings
    .map((text, index) => {
      if (index >= values.length) return text
      return text + literal(values[index], text, strings[index + 1] ?? '')
    })
    .join('')
}

function literal(value: unknown, before: string, after: string): string {
  if (typeof value === 'string') return textLiteral(value, before)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isFinite(value))
    return numberLiteral(value, before, after)
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return `datetime'${value.toISOString()}'`
  }
  if (typeof value === 'bigint') {
    const isWritten = isQuoted(before) || /^l/i.test(after)
    return isWritten ? String(value) : edmLiteral('Int64', value)
  }
  if (value instanceof Uint8Array) return edmLiteral('Binary', value)
  if (isEdmValue(value)) return edmLiteral(value.type, readOrSame(value))
  throw invalidArgument(
    `odata: the value after ${JSON.stringify(before)} must be a string, finite number, boolean, bigint, valid Date, Uint8Array or { type, value }, not ${typeof value === 'number' ? value : describeKind(value)}.`,
  )
}

/** The service rejects a whole number beyond 32 bits without an `L`, which the template may have. */
function numberLiteral(value: number, before: string, after: string): string {
  const isSmall = !Number.isInteger(value) || value === (value | 0)
  if (isSmall || isQuoted(before) || /^[ldf.e]/i.test(after)) return String(value)
  return Math.abs(value) < 2 ** 63
    ? edmLiteral('Int64', BigInt(value))
    : edmLiteral('Double', value)
}

/** The value as a read gives it; another one is rejected as the caller's, not as a stored one. */
function readOrSame({ type, value }: GivenEdm): unknown {
  try {
    return EntityProperty.read(type, value, 'value').value
  } catch {
    return value
  }
}

function textLiteral(value: string, before: string): string {
  const escaped = value.replaceAll("'", "''")
  // A value that is the whole filter, or inside quotes of the template, is not quoted again.
  return before === '' || isQuoted(before) ? escaped : `'${escaped}'`
}

function isQuoted(before: string): boolean {
  return before.trimEnd().endsWith("'")
}

function edmLiteral<Type extends EdmType>(type: Type, value: unknown): string {
  const codec = edmCodecs[type]
  return codec.printLiteral(codec.accept(value, 'value of odata'))
}
