import type { EntityModel, KeyCodec } from '@rowkey/mapper'
import type { IndexDefinition } from './index-definition.ts'

/** An index as far as its entries are read. */
interface CopyIndex {
  readonly name: string
  readonly model: EntityModel<object>
  readonly definition: Pick<IndexDefinition, 'rowKey' | 'project'>
}

const models = new WeakMap<object, EntityModel<object>>()

/**
 * Returns the model by which the entries of an index are queried: its keys and its projection.
 *
 * @param index - the index
 * @param partitionKey - how the PartitionKeys of the entries are made
 */
export function copyModel(index: CopyIndex, partitionKey: KeyCodec): EntityModel<object> {
  let made = models.get(index)
  if (made === undefined) {
    made = toCopyModel(index, partitionKey)
    models.set(index, made)
  }
  return made
}

function toCopyModel(
  { name, model, definition }: CopyIndex,
  partitionKey: KeyCodec,
): EntityModel<object> {
  const { rowKey, project = [] } = definition
  const projected: readonly string[] = project
  const keyed = [...rowKey.properties, ...partitionKey.properties]
  return Object.freeze({
    ...model,
    title: `${model.title}.${name}`,
    partitionKey,
    rowKey,
    etag: undefined,
    columns: model.columns.filter(
      ({ property }) => projected.includes(property) && !keyed.includes(property),
    ),
    schema: undefined,
    discriminator: undefined,
    version: undefined,
    kept: {},
  })
}
