import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'
import { modelOf } from './model-of.ts'

/**
 * The model that is given, or that of the class which is.
 *
 * @param given - a decorated class, or a model from `defineEntity`
 * @throws {@link ModelError} when it is neither, or the class cannot be mapped
 */
export function toModel(given: EntityClass<object> | EntityModel<object>): EntityModel<object> {
  return isModel(given) ? given : modelOf(given)
}

function isModel(given: EntityClass<object> | EntityModel<object>): given is EntityModel<object> {
  return typeof given === 'object' && given !== null && 'columns' in given
}
