import { dynamicEntityCodec, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { CompiledQuery, RawQuerySource, TokenSeal } from '@rowkey/query'
import {
  type CallOptions,
  checkOptions,
  findEntity,
  getEntity,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import type { RowLifetime, RowReads } from '../../model/row-lifetime.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { CALL_OPTION_NAMES } from '../call-options.ts'
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

const allRows: RowReads = {
  find: (service, input, options) => perform(service, findEntity, input, options),
  get: (service, input, options) => perform(service, getEntity, input, options),
  page: (service, input, options) => perform(service, queryEntities, input, options),
}

/** Returns how to read rows: only the live ones of a model with a lifetime. */
export function readsOf(lifetime: RowLifetime | undefined): RowReads {
  return lifetime?.reads ?? allRows
}

/** The parts of an entity source. */
export interface EntitySourceParts<Entity extends object> {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  readonly rows: RowReader<Entity>
  readonly tokenSeal?: TokenSeal | undefined
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
}

/** Reads the rows of one table for a query, page by page or by their keys. */
export function entitySource<Entity extends object>({
  service,
  table,
  rows,
  tokenSeal,
  lifetime,
}: EntitySourceParts<Entity>): RawQuerySource<Entity, CallOptions, RawEntity> {
  const reads = readsOf(lifetime)
  const check = (options: CallOptions): void =>
    checkOptions(options, CALL_OPTION_NAMES, `A query of table ${table}`)
  return {
    table,
    tokenSeal,
    isUnsorted: service.endpoint.flavour === 'cosmos',

    beginRun(options) {
      check(options)
      return service.pendingCalls.begin(service.withDeadline(options))
    },

    endRun(options) {
      service.pendingCalls.end(options)
    },

    async fetchPage(query, { continuationToken }, options) {
      const from =
        continuationToken === undefined
          ? { continuation: undefined }
          : { continuation: parseContinuationToken(continuationToken) }
      const select = selectOf(query, options.exactWrites ?? service.defaults.exactWrites)
      const input = { table, ...query, select, ...from }
      const { entities: items, continuation } = await reads.page(service, input, options)
      if (continuation === undefined) return { items }
      return { items, continuationToken: printContinuationToken(continuation) }
    },

    async findRow(key, { select }, options) {
      const found = await reads.find(service, { table, key, select }, options)
      return found && withETag(found.raw, found.etag)
    },

    readRow: (raw, { projected }) => (projected ? rows.readPart(raw) : rows.read(raw)),
    keyOf: keyOfRaw,
    entityOf: (raw) => dynamicEntityCodec.read(rows.reveal(raw)),
  }
}

/** Returns what a page reads of each row. The markers of exact writes are recognized by their RowKey. */
function selectOf({ select }: CompiledQuery, isExact: boolean): readonly string[] | undefined {
  if (!isExact || !select?.length || select.includes('RowKey')) return select
  return [...select, 'RowKey']
}

/** Adds the ETag to a row, as in a page of a query. */
function withETag(raw: RawEntity, etag: string | undefined): RawEntity {
  return etag === undefined || 'odata.etag' in raw ? raw : { ...raw, 'odata.etag': etag }
}
