import { comparison, type FilterNode, keyOfRaw, literalOf, type RawEntity } from '@rowkey/odata'
import { unknownType } from '../errors/compose-errors.ts'
import type { RowRule } from './row-rule.ts'

/** The mark of the rows of a model: a stored property and its text. */
export interface Discriminator {
  /** The stored name: `EntityType`. */
  readonly property: string
  /** Its text in every row of the model: `Order`. */
  readonly value: string
}

/** Tells whether a row has the mark of a model; each row has that of a model without one. */
export function hasDiscriminator(
  raw: RawEntity,
  discriminator: Discriminator | undefined,
): boolean {
  return discriminator === undefined || raw[discriminator.property] === discriminator.value
}

/**
 * Returns the rule that only rows with the mark of a model are its entities; `undefined` for a model without one.
 *
 * @example
 * ```ts
 * // of discriminator: { EntityType: 'Order' }
 * typeRule(model)?.where // EntityType eq 'Order'
 * ```
 */
export function typeRule({
  title,
  discriminator,
}: {
  /** The name of the model. */
  readonly title: string
  /** Its mark. */
  readonly discriminator?: Discriminator | undefined
}):
  | (RowRule & {
      /** The condition on the mark. */
      readonly where: FilterNode
    })
  | undefined {
  if (discriminator === undefined) return undefined
  const { property, value } = discriminator
  return {
    names: [property],
    where: comparison(property, 'eq', literalOf(value, 'String')),
    check(raw) {
      if (hasDiscriminator(raw, discriminator)) return
      throw unknownType(keyOfRaw(raw), [`${title} (${property} '${value}')`])
    },
  }
}
