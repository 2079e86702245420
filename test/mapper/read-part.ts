import type { RawEntity } from '@rowkey/odata'
import type { ObjectCodec } from './object-codec.ts'

/** Reads a row with only its selected properties, as a table does. */
export function readPart<Entity extends object>(
  codec: ObjectCodec<Entity>,
  raw: RawEntity,
  etag?: string,
): Entity {
  return codec.read(raw, etag, undefined, true)
}
