import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from './entity-model.ts'
import type { RowLifetime } from './row-rule.ts'

/** Which properties of a model say that a row has expired or is deleted, from `lifetime`. */
export interface Lifetime<Name extends string = string> {
  /** The names of these properties. */
  readonly properties: readonly Name[]
  /**
   * Checks a model, and binds the properties to their stored names.
   *
   * @throws ModelError for a property that is not stored as a plain DateTime
   */
  bind(model: EntityModel<object>): RowLifetime
}

/**
 * Binds the lifetime of a model, if it has one.
 *
 * @throws ModelError for a value that `lifetime` did not return
 */
export function bindLifetime(
  lifetime: Lifetime | undefined,
  model: EntityModel<object>,
): RowLifetime | undefined {
  if (lifetime === undefined) return undefined
  // A function has a bind of its own: lifetime without its call.
  if (typeof lifetime === 'object' && typeof lifetime?.bind === 'function')
    return lifetime.bind(model)
  throw new ModelError({
    className: model.title,
    problem:
      "The option lifetime must be a result of the function lifetime: lifetime({ expiresAt: 'expiresOn' }).",
  })
}
