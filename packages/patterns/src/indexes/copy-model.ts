import type { EntityModel } from '@rowkey/mapper'
import type { EntityIndex } from '../definitions/index-entry.ts'

/** Returns the model by which the entries of an index are read: its keys and its projection. */
export function copyModel(index: EntityIndex): EntityModel<object> {
  const { model, partitionKey, definition } = index
  const { rowKey, project = [] } = definition
  const projected: readonly string[] = project
  const keyed = [...rowKey.readable, ...partitionKey.readable]
  return Object.freeze({
    ...entryModel(index),
    etag: undefined,
    columns: model.columns.filter(
      ({ property }) => projected.includes(property) && !keyed.includes(property),
    ),
    schema: undefined,
    discriminator: undefined,
    version: undefined,
  })
}

/** Returns the model by which queries in the order of an index are written: all properties of the rows, and the keys of the entries. */
export function entryModel({
  name,
  model,
  definition,
  partitionKey,
}: EntityIndex): EntityModel<object> {
  const title = `${model.title}.${name}`
  return Object.freeze({ ...model, title, partitionKey, rowKey: definition.rowKey, kept: {} })
}
