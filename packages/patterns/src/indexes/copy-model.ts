import type { EntityModel } from '@rowkey/mapper'
import type { EntityIndex } from './index-entry.ts'

const models = new WeakMap<object, EntityModel<object>>()

/** Returns the model by which the entries of an index are queried: its keys and its projection. */
export function copyModel(index: EntityIndex): EntityModel<object> {
  let made = models.get(index)
  if (made === undefined) {
    made = toCopyModel(index)
    models.set(index, made)
  }
  return made
}

function toCopyModel({ name, model, definition }: EntityIndex): EntityModel<object> {
  const { rowKey, project = [] } = definition
  const projected: readonly string[] = project
  const keyed = [...rowKey.properties, ...model.partitionKey.properties]
  return Object.freeze({
    ...model,
    title: `${model.title}.${name}`,
    rowKey,
    etag: undefined,
    columns: model.columns.filter(
      ({ property }) => projected.includes(property) && !keyed.includes(property),
    ),
    schema: undefined,
    discriminator: undefined,
    version: undefined,
  })
}
