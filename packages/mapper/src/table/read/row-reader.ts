import type { RawEntity } from '@rowkey/odata'
import type { RowCodec } from '../../codec/row-codec.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { rowError } from './error-place.ts'

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
    try {
      return this.#codec.read(raw, etag, this.#origin)
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }

  /** Works as {@link RowReader.read} for a response with only the selected properties. */
  readPart(raw: RawEntity, etag?: string): Entity {
    try {
      return this.#codec.readPart(raw, etag, this.#origin)
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }

  /** Returns a row as a reader with the keys sees it: verified and decrypted. */
  reveal(raw: RawEntity): RawEntity {
    try {
      return this.#codec.reveal?.(raw) ?? raw
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }
}
