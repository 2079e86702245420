import { KeyCodec } from '../keys/key-codec.ts'
import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'
import type { UnionMember } from './entity-of.ts'
import { modelOf } from './model-of.ts'

/**
 * Returns the model of a class, or a model as it is.
 *
 * @param given - a decorated class, or a model from `defineEntity`
 * @throws {@link ModelError} for anything else, and when the class cannot be mapped
 */
export function toModel(given: EntityClass<object> | EntityModel<object>): EntityModel<object> {
  return isModel(given) ? given : modelOf(given)
}

/** Returns whether a value is a class or a model, rather than an entity. */
export function isClassOrModel(given: unknown): given is UnionMember {
  return typeof given === 'function' || isModel(given)
}

function isModel(given: unknown): given is EntityModel<object> {
  if (typeof given !== 'object' || given === null) return false
  const { partitionKey }: Partial<EntityModel<object>> = given
  return partitionKey instanceof KeyCodec
}
