import { edmCodecOf } from '../edm/edm-codecs.ts'
import type { EdmType, EdmValue } from '../edm/edm-type.ts'
import { EntityProperty } from '../entity/entity-property.ts'
import type { FilterLiteral } from './filter-node.ts'

/**
 * A typed constant for a filter.
 *
 * @param value - the constant, or a property whose type and value it takes
 * @param type - the type it is compared as; without it {@link inferEdmType} decides, so a whole
 * Double or a Guid needs it
 * @throws {@link PropertyValueError} when the type cannot hold the value
 *
 * @example
 * ```ts
 * literalOf(5, 'Double') // { type: 'Double', value: 5 }
 * ```
 */
export function literalOf(value: EdmValue | EntityProperty, type?: EdmType): FilterLiteral {
  const property = EntityProperty.of(value, type)
  return Object.freeze({ type: property.type, value: property.value })
}

/** A constant as it stands in a `$filter`; checked, so that no text can break out of its quotes. */
export function printLiteral(literal: FilterLiteral, name: string): string {
  const { type, value } = EntityProperty.of(literal?.value, literal?.type, name)
  return edmCodecOf(type).printLiteral(value)
}
