import type { EntityModel } from '@rowkey/mapper'

/** What a converter gets as the key: an entity that gets copies may not have all parts of its own yet. */
const NO_KEY = Object.freeze({ partitionKey: '', rowKey: '' })

/**
 * Prints the value of a property so that equal values have the same text, and others do not. A converted value is printed as it is
 * stored, because it may be of any class. A missing value equals `null`.
 */
export function valueText(
  value: unknown,
  property: string,
  model: EntityModel<object> | undefined,
): string {
  const present = value ?? undefined
  const converter = model?.columns.find((each) => each.property === property)?.converter
  const stored =
    present === undefined ? undefined : (converter?.toStored(present, NO_KEY) ?? present)
  if (stored instanceof Uint8Array) return `bytes ${stored.join()}`
  return `${typeof stored} ${JSON.stringify(stored, asText)}`
}

/** JSON has neither bigints nor -0, NaN and infinite numbers. */
function asText(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  return `${typeof value} ${Object.is(value, -0) ? '-0' : value}`
}
