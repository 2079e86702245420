import type { RawEntity } from '@rowkey/odata'
import { readObject } from '../snapshot/object-row.ts'
import { rowError } from './error-place.ts'
import type { TableParts } from './table-parts.ts'

/** The table that a row was read from. */
export type RowTable<Entity extends object> = Pick<TableParts<Entity>, 'name' | 'origin' | 'types'>

/**
 * Reads a row into an entity.
 *
 * @param table - the table of the row
 * @param raw - the row
 * @param etag - the ETag header of a single-entity response
 * @param isPart - whether the response has only the selected properties
 * @throws {@link DecodeError} naming table, PartitionKey and RowKey, when the row does not fit its model
 */
export function readRow<Entity extends object>(
  { name, origin, types }: RowTable<Entity>,
  raw: RawEntity,
  etag?: string,
  isPart?: boolean,
): Entity {
  try {
    return readObject(types.ofRow(raw).codec, raw, { etag, origin, isPart })
  } catch (error) {
    throw rowError(error, name, raw)
  }
}

/** Returns a row as a reader with the keys sees it: verified and decrypted. */
export function revealRow(
  { name, types }: Pick<RowTable<object>, 'name' | 'types'>,
  raw: RawEntity,
): RawEntity {
  try {
    return types.ofRow(raw).codec.reveal(raw)
  } catch (error) {
    throw rowError(error, name, raw)
  }
}
