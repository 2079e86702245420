import { EntityJsonError } from '../errors/entity-json-error.ts'
import type { RawEntity } from './entity-codec.ts'
import { parseEntityJson } from './parse-entity-json.ts'

/**
 * Parses the JSON of one entity as {@link parseEntityJson} does.
 *
 * @param text - JSON without a byte order mark
 * @throws {@link EntityJsonError} when the text is not the JSON of an object
 *
 * @example
 * ```ts
 * parseEntityObject('{"PartitionKey":"a","RowKey":"b"}').RowKey // 'b'
 * ```
 */
export function parseEntityObject(text: string): RawEntity {
  const json = parsed(text)
  if (isRawEntity(json)) return json
  throw new EntityJsonError({
    message: 'The JSON of an entity is an object, and this is another value.',
  })
}

function parsed(text: string): unknown {
  try {
    return parseEntityJson(text)
  } catch (cause) {
    throw new EntityJsonError({
      message: 'This is not the JSON of an entity, nor of anything.',
      cause,
    })
  }
}

/**
 * Whether parsed JSON can be an entity: it is an object, and no array.
 *
 * @param json - what {@link parseEntityJson} gave
 */
export function isRawEntity(json: unknown): json is RawEntity {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
