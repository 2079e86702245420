import { ModelError } from '../errors/model-error.ts'
import { wholeKeyOf } from '../keys/key-codec.ts'
import type { TemplatePart } from '../keys/template-part.ts'
import type { EntityModel } from './entity-model.ts'

/**
 * Checks that each part of a key can be read back, and queried by its own name.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkKeyParts(model: EntityModel<object>): void {
  for (const key of [model.partitionKey, model.rowKey]) {
    if (wholeKeyOf(key) !== undefined) continue
    for (const segment of key.segments) {
      const problem = typeof segment === 'object' && problemOf(model, segment)
      if (!problem) continue
      throw new ModelError({ className: model.title, property: segment.property, problem })
    }
  }
}

function problemOf(
  { columns, ignored, etag, timestamp }: EntityModel<object>,
  { property, isReadable }: TemplatePart,
): string | undefined {
  if (ignored.includes(property)) {
    return 'It is a part of the key, so @Ignore() must not be on it. Remove @Ignore().'
  }
  if (property === etag || property === timestamp) {
    return 'It is a part of the key, but it also shows the ETag or the Timestamp, which only the service sets. Keep one.'
  }
  const isStored = columns.some((column) => column.property === property)
  if (!isReadable && !isStored) {
    return 'The key contains only its hash, so it could not be read back. Put @Property() on it.'
  }
  const namesake = columns.find(({ name }) => name === property)
  if (isStored || namesake === undefined) return undefined
  return (
    `It is a part of the key, but ${namesake.property} is stored as '${property}', so conditions on the two ` +
    `could not be distinguished. Store ${namesake.property} under another name.`
  )
}
