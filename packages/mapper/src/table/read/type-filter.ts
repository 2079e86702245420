import { comparison, type FilterNode, literalOf } from '@rowkey/odata'
import type { EntityModel } from '../../model/entity-model.ts'

/**
 * The condition that the rows of a type fulfil by their mark; `undefined` when they have none.
 *
 * @example
 * ```ts
 * // of discriminator: { EntityType: 'Order' }
 * typeFilter(model) // EntityType eq 'Order'
 * ```
 */
export function typeFilter({ discriminator }: EntityModel<object>): FilterNode | undefined {
  if (discriminator === undefined) return undefined
  return comparison(discriminator.property, 'eq', literalOf(discriminator.value, 'String'))
}
