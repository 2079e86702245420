import { type DateTimeValue, findDateTime } from '../edm/date-time-value.ts'
import { odataDecodeError } from '../errors/codes.ts'
import type { EntityKey } from './entity-key.ts'

/**
 * One entity as it came over the wire: the parsed JSON object, with `<name>@odata.type` beside every
 * value whose type the JSON alone does not show (whole Doubles included: see `parseEntityJson`).
 */
export interface RawEntity {
  readonly [member: string]: unknown
}

/**
 * Tells whether parsed JSON can be an entity: it is an object, and not an array.
 *
 * @param json - the result of `parseEntityJson`
 */
export function isRawEntity(json: unknown): json is RawEntity {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/**
 * Returns the key of an entity as it came. A half that a projection left out is `''`.
 *
 * @param raw - the entity
 * @throws {@link DecodeError} (`UnreadableProperty`) when a half is not a string
 *
 * @example
 * ```ts
 * keyOfRaw({ PartitionKey: 'Smith', RowKey: 'Jeff' }) // { partitionKey: 'Smith', rowKey: 'Jeff' }
 * ```
 */
export function keyOfRaw(raw: RawEntity): EntityKey {
  return { partitionKey: halfOf(raw, 'PartitionKey'), rowKey: halfOf(raw, 'RowKey') }
}

function halfOf(raw: RawEntity, name: 'PartitionKey' | 'RowKey'): string {
  const value = raw[name] ?? ''
  if (typeof value === 'string') return value
  const message = `The stored ${name} is a ${typeof value}; every key is a string.`
  throw odataDecodeError('UnreadableProperty', message, { property: name })
}

const ETAG = /^W\/"datetime'([^'%]*)%3A([^'%]*)%3A([^'%]*)'"$/i

/**
 * Reads the Timestamp that an ETag carries: the service makes one from the other.
 *
 * ETags are opaque, and other services than Azure's make them in other ways: then the Timestamp is missing.
 *
 * @param etag - such as `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`
 * @returns `undefined` when the ETag has another form
 *
 * @example
 * ```ts
 * timestampOfEtag(`W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`)?.toJSON() // '2017-11-10T02:46:55.7383596Z'
 * ```
 */
export function timestampOfEtag(etag: string): DateTimeValue | undefined {
  const match = ETAG.exec(etag)
  return match === null ? undefined : findDateTime(`${match[1]}:${match[2]}:${match[3]}`)
}
