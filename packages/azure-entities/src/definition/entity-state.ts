import type { Row } from '../types/base-type.ts'
import type { Definition, Properties, Secrets } from './definition.ts'
import { fromRow } from './entity-row.ts'

/** What an entity knows of its row, under the names that entities of that library have. */
export interface EntityState {
  /** PartitionKey. */
  readonly _partitionKey: string
  /** RowKey. */
  readonly _rowKey: string
  /** The version of the stored row, which may be older than the class. */
  readonly _version: number
  /** The properties, by name. */
  readonly _properties: Properties
  /** The ETag of the stored row. */
  readonly _etag: string
}

/**
 * Reads the state of an entity from its row.
 *
 * @throws DecodeError when the row does not fit
 */
export function stateOf(
  definition: Definition,
  secrets: Secrets,
  row: Row,
  etag: string,
): EntityState {
  return {
    _partitionKey: String(row.PartitionKey),
    _rowKey: String(row.RowKey),
    _version: Number(row.Version),
    _properties: fromRow(definition, row, secrets),
    _etag: etag,
  }
}
