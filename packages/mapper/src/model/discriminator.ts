import type { RawEntity } from '@rowkey/odata'

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
