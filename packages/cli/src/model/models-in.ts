import { type EntityModel, isEntityClass, modelOf } from '@rowkey/mapper'
import { isUnion } from './load-model.ts'

/**
 * Returns the models of an export of a module.
 *
 * @param value - a class, a model or a union; anything else has none
 * @throws ModelError for an entity whose model is invalid
 */
export function modelsIn(value: unknown): readonly EntityModel<object>[] {
  if (isClass(value)) return classModel(value)
  if (typeof value !== 'object' || value === null) return []
  if (isUnion(value)) return value.types.map(({ model }) => model)
  return 'columns' in value && 'partitionKey' in value ? [value as EntityModel<object>] : []
}

/** Tells whether an export is a class. Other functions must not be called: a model makes an instance of its class. */
export function isClass(value: unknown): value is new () => object {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

/** A class that is not an entity has none, and a base class may have none. */
function classModel(value: new () => object): readonly EntityModel<object>[] {
  try {
    return [modelOf(value)]
  } catch (error) {
    if (isEntityClass(value)) throw error
    return []
  }
}
