import type { RawEntity } from '@rowkey/odata'
import type { RowCodec } from '../../packages/mapper/src/codec/row-codec.ts'

/** Reads a row with only its selected properties, as a table does. */
export function readPart<Entity extends object>(
  codec: RowCodec<Entity>,
  raw: RawEntity,
  etag?: string,
): Entity {
  return codec.read(raw, etag, undefined, true)
}
