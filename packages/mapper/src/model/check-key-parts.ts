import { ModelError } from '../errors/model-error.ts'
import { wholeKeyOf } from '../keys/key-codec.ts'
import type { TemplatePart } from '../keys/template-part.ts'
import type { EntityModel } from './entity-model.ts'

/**
 * Checks that each part of a key can be read back, and asked about by its own name.
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
    return 'It is a part of the key, and @Ignore() says that nobody reads it. Remove @Ignore().'
  }
  if (property === etag || property === timestamp) {
    return 'It is a part of the key, and it shows what the service alone decides. Keep one of them.'
  }
  const isStored = columns.some((column) => column.property === property)
  if (!isReadable && !isStored) {
    return 'The key holds only its hash, so nobody could read it back. Put @Property() on it.'
  }
  const namesake = columns.find(({ name }) => name === property)
  if (isStored || namesake === undefined) return undefined
  return (
    `It is a part of the key, and ${namesake.property} is stored as '${property}', so that conditions on the two ` +
    'could not be told apart. Store that one under another name.'
  )
}
