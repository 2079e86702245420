import { type EntityModel, type KeyCodec, keepRows, key } from '@rowkey/mapper'
import { invalidPatternOption } from '../errors/codes.ts'
import type { EntityIndex } from './index-entry.ts'

/** Returns the model by which the entries of an index are read: its keys and its projection. */
export function copyModel(index: EntityIndex): EntityModel<object> {
  const { model, partitionKey, rowKey, definition } = index
  const { project = [] } = definition
  const projected: readonly string[] = project
  const keyed = [...rowKey.readable, ...partitionKey.readable]
  const copies: EntityModel<object> = Object.freeze({
    ...entryModel(index),
    partitionKey: withGuids(partitionKey, model),
    rowKey: withGuids(rowKey, model),
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
  partitionKey,
  rowKey,
}: EntityIndex): EntityModel<object> {
  const order = `${partitionKey} ${rowKey}`
  return Object.freeze({
    ...model,
    title: `${model.title}.${name}`,
    partitionKey,
    rowKey,
    order,
    kept: {},
  })
}

/** Returns a key that prints Guids as entries hold them, in lower case, where its template has them as text. */
function withGuids({ segments }: KeyCodec, { columns }: EntityModel<object>): KeyCodec {
  const texts = ['']
  const parts: string[] = []
  for (const segment of segments) {
    if (typeof segment === 'string') texts[parts.length] = segment
    else {
      const { property, text } = segment
      const isGuid = columns.some((each) => each.property === property && each.type === 'Guid')
      parts.push(isGuid && text === property ? `${text}:guid` : text)
      texts.push('')
    }
  }
  // They are the texts and the parts of a checked template.
  return key(Object.assign(texts, { raw: texts }), ...(parts as []))
}
