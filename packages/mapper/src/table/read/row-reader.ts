import { parseEntityObject, type RawEntity } from '@rowkey/odata'
import { mergeEntity } from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { keepSnapshot, type RowOrigin, snapshotOf } from '../../snapshot/snapshot.ts'
import type { EntityChange } from '../write/entity-changes.ts'
import { namingRow } from './error-place.ts'

/** Reads the rows of one table into entities. */
export class RowReader<Entity extends object> {
  readonly #table: string
  readonly #origin: RowOrigin
  readonly #codec: RowCodec<Entity>

  /**
   * @param table - the table's name
   * @param origin - identifies the table among those of all accounts
   * @param codec - reads its rows
   */
  constructor(table: string, origin: RowOrigin, codec: RowCodec<Entity>) {
    this.#table = table
    this.#origin = origin
    this.#codec = codec
  }

  /**
   * Reads a row.
   *
   * @param raw - the row
   * @param etag - the ETag header of a single-entity response
   * @throws {@link DecodeError} naming table, PartitionKey and RowKey, when the row does not fit its model
   */
  read(raw: RawEntity, etag?: string): Entity {
    return namingRow(this.#table, raw, () => this.#codec.read(raw, etag, this.#origin))
  }

  /** Works as {@link RowReader.read} for a response with only the selected properties. */
  readPart(raw: RawEntity, etag?: string): Entity {
    return namingRow(this.#table, raw, () => this.#codec.readPart(raw, etag, this.#origin))
  }

  /**
   * Returns the object that was written, with the output of its schema. If the object cannot be assigned
   * to, it returns a new object with the stored values.
   *
   * @param change - a write that was applied
   */
  written({ entity, operation, input, write }: EntityChange<object>): object | undefined {
    if (entity === undefined || write?.body === undefined || Object.isExtensible(entity))
      return entity
    // The body of a merge is not a whole row.
    if (operation === mergeEntity) return entity
    const snapshot = snapshotOf(entity)
    const shown = this.read(parseEntityObject(input.body), snapshot?.etag)
    if (snapshot !== undefined) keepSnapshot(shown, snapshot)
    return shown
  }

  /** Returns a row as a reader with the keys sees it: verified and decrypted. */
  reveal(raw: RawEntity): RawEntity {
    return namingRow(this.#table, raw, () => this.#codec.reveal?.(raw) ?? raw)
  }
}
