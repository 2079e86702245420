import type { RawEntity } from '@rowkey/odata'
import { findEntity, getEntity, perform } from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import type { RowLifetime, RowReads } from '../../model/row-lifetime.ts'
import { readObject } from '../../snapshot/object-row.ts'
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
   * @param isPart - whether the response has only the selected properties
   * @throws {@link DecodeError} naming table, PartitionKey and RowKey, when the row does not fit its model
   */
  read(raw: RawEntity, etag?: string, isPart?: boolean): Entity {
    try {
      return readObject(this.#codec, raw, { etag, origin: this.#origin, isPart })
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }

  /** Returns a row as a reader with the keys sees it: verified and decrypted. */
  reveal(raw: RawEntity): RawEntity {
    try {
      return this.#codec.reveal(raw)
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }
}

/** The reads of one row. */
type RowRead = Pick<RowReads, 'find' | 'get'>

const anyRow: RowRead = {
  find: (service, input, options) => perform(service, findEntity, input, options),
  get: (service, input, options) => perform(service, getEntity, input, options),
}

/** Returns how to read one row: only a live one of a model with a lifetime. */
export function readsOf(lifetime: RowLifetime | undefined): RowRead {
  return lifetime?.reads ?? anyRow
}
