import { checkCustomPropertyName } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { Discriminator } from './entity-model.ts'

/**
 * How the rows of a type are marked: one stored property, and the text that it holds.
 *
 * @example
 * ```ts
 * const discriminator: TypeMark = { EntityType: 'Order' }
 * ```
 */
export type TypeMark = Readonly<Record<string, string>>

/**
 * What a type mark says.
 *
 * @param title - what messages call the model
 * @param given - as the caller gave it
 * @throws {@link ModelError} when it is not one property with a text
 */
export function toDiscriminator(
  title: string,
  given: TypeMark | undefined,
): Discriminator | undefined {
  if (given === undefined) return undefined
  const [first, other] = Object.entries<unknown>(Object(given))
  const [property = '', value] = first ?? []
  if (other === undefined && typeof value === 'string' && value !== '') {
    try {
      checkCustomPropertyName(property)
      return Object.freeze({ property, value })
    } catch (cause) {
      throw mistaken(title, cause)
    }
  }
  throw mistaken(title)
}

function mistaken(className: string, cause?: unknown): ModelError {
  return new ModelError({
    className,
    problem:
      "Its discriminator must be one property and the text that it holds, such as { EntityType: 'Order' }.",
    cause,
  })
}
