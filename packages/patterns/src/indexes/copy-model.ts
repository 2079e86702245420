import { type EntityModel, keepRows } from '@rowkey/mapper'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { invalidPatternOption } from '../errors/codes.ts'

/** Returns the model by which the entries of an index are read: its keys and its projection. */
export function copyModel(index: EntityIndex): EntityModel<object> {
  const { model, partitionKey, definition } = index
  const { rowKey, project = [] } = definition
  const projected: readonly string[] = project
  const keyed = [...rowKey.readable, ...partitionKey.readable]
  const copies: EntityModel<object> = Object.freeze({
    ...entryModel(index),
    etag: undefined,
    columns: model.columns.filter(
      ({ property }) => projected.includes(property) && !keyed.includes(property),
    ),
    schema: undefined,
    discriminator: undefined,
    version: undefined,
  })
  // A query can delete what it reads, and the index would silently lack these rows.
  const plan = async (): Promise<never> => {
    throw invalidPatternOption(
      `Copies of index ${index.name} of ${model.title} are read-only. Delete the entities: query('${index.name}', …).deleteAll().`,
    )
  }
  keepRows(copies, { touches: () => true, plan }, 'copies')
  return copies
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
