import { type EntityModel, modelOf } from '@rowkey/mapper'
import { isUnion } from './load-model.ts'

/**
 * Returns the models of an export of a module.
 *
 * @param value - a class, a model or a union; anything else has none
 */
export function modelsIn(value: unknown): readonly EntityModel<object>[] {
  if (typeof value === 'function') return classModel(value as new () => object)
  if (typeof value !== 'object' || value === null) return []
  if (isUnion(value)) return value.types.map(({ model }) => model)
  return 'columns' in value && 'partitionKey' in value ? [value as EntityModel<object>] : []
}

/** A function that is not the class of a model has none. */
function classModel(value: new () => object): readonly EntityModel<object>[] {
  try {
    return [modelOf(value)]
  } catch {
    return []
  }
}
