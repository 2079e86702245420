import { checkCustomPropertyName } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { Discriminator } from './entity-model.ts'

/**
 * The mark of the rows of a type: one stored property and its text.
 *
 * @example
 * ```ts
 * const discriminator: TypeMark = { EntityType: 'Order' }
 * ```
 */
export type TypeMark = Readonly<Record<string, string>>

/**
 * Reads the option `discriminator`.
 *
 * @param title - the name of the model in messages
 * @param given - the caller's option
 * @throws {@link ModelError} unless it is one property with a text
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
    problem: "discriminator must be one property with its text, such as { EntityType: 'Order' }.",
    cause,
  })
}
