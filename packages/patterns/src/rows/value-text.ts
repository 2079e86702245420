import { codecOf, type EntityModel } from '@rowkey/mapper'

/**
 * Prints the value of a property so that equal values have the same text, and others do not. A converted value is printed as it is
 * stored, because it may be of any class. A missing value equals `null`.
 *
 * @param value - the value
 * @param property - its property
 * @param entity - the entity that has the property
 * @param model - its model, if it has one
 */
export function valueText(
  value: unknown,
  property: string,
  entity: object,
  model?: EntityModel<object>,
): string {
  const present = value ?? undefined
  const converter = model?.columns.find((each) => each.property === property)?.converter
  const isConverted = present !== undefined && model !== undefined && converter !== undefined
  const stored = isConverted ? converter.toStored(present, codecOf(model).keyOf(entity)) : present
  if (stored instanceof Uint8Array) return `bytes ${stored.join()}`
  return `${typeof stored} ${JSON.stringify(stored, asText)}`
}

/** JSON has neither bigints nor -0, NaN and infinite numbers. */
function asText(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  return `${typeof value} ${Object.is(value, -0) ? '-0' : value}`
}
