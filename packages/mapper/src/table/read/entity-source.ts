import { dynamicEntityCodec, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { RawQuerySource, TokenSeal } from '@rowkey/query'
import {
  type CallOptions,
  checkOptions,
  findEntity,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import type { RowReader } from './row-reader.ts'

/** What an entity source is made from. */
export interface EntitySourceParts<Entity extends object> {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  readonly rows: RowReader<Entity>
  readonly tokenSeal?: TokenSeal | undefined
}

/** Reads the rows of one table for a query, page by page or by their keys. */
export function entitySource<Entity extends object>({
  service,
  table,
  rows,
  tokenSeal,
}: EntitySourceParts<Entity>): RawQuerySource<Entity, CallOptions, RawEntity> {
  const check = (options: CallOptions): void =>
    checkOptions(options, CALL_OPTION_NAMES, `A query of table ${table}`)
  return {
    table,
    tokenSeal,
    isUnsorted: service.endpoint.flavour === 'cosmos',

    beginRun(options) {
      check(options)
      return service.withDeadline(options)
    },

    async fetchPage(query, { continuationToken }, options) {
      const from =
        continuationToken === undefined
          ? {}
          : { continuation: parseContinuationToken(continuationToken) }
      const input = { table, ...query, ...from }
      const { entities, continuation } = await perform(service, queryEntities, input, options)
      if (continuation === undefined) return { items: entities }
      return { items: entities, continuationToken: printContinuationToken(continuation) }
    },

    async findRow(key, { select }, options) {
      const found = await perform(service, findEntity, { table, key, select }, options)
      return found && withETag(found.raw, found.etag)
    },

    readRow: (raw, { projected }) => (projected ? rows.readPart(raw) : rows.read(raw)),
    keyOf: keyOfRaw,
    entityOf: (raw) => dynamicEntityCodec.read(rows.reveal(raw)),
  }
}

/** Adds the ETag to a row, as in a page of a query. */
function withETag(raw: RawEntity, etag: string | undefined): RawEntity {
  return etag === undefined || 'odata.etag' in raw ? raw : { ...raw, 'odata.etag': etag }
}
