import { dynamicEntityCodec, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { CompiledQuery, RawQuerySource } from '@rowkey/query'
import {
  type CallOptions,
  callOf,
  keyCheckOf,
  parseContinuationToken,
  printContinuationToken,
} from '@rowkey/rest'
import { levelOf, overloadSeen } from '../options/account-level.ts'
import { readRow, revealRow } from './read-row.ts'
import type { TableParts } from './table-parts.ts'

/**
 * Reads the rows of one table for queries.
 *
 * @internal
 */
export type RowSource<Entity> = RawQuerySource<Entity, CallOptions, RawEntity>

/**
 * Reads the rows of a table for a query, page by page or by their keys.
 *
 * @param from - the table
 */
export function entitySource<Entity extends object>(from: TableParts<Entity>): RowSource<Entity> {
  const { service, name: table, tokenSeal, rows } = from
  const where = `A query of table ${table}`
  return {
    table,
    tokenSeal,
    isUnsorted: service.endpoint.flavour === 'cosmos',
    level: levelOf(service),
    checkKey: keyCheckOf(service.endpoint),
    observed: (options, onThrottled) =>
      overloadSeen(callOf(service, options, where), onThrottled).options,

    beginRun(options) {
      return service.begin(options, where).options
    },

    endRun(options) {
      callOf(service, options, where).end()
    },

    async fetchPage(query, { continuationToken: token }, options) {
      const select = selectOf(query, options.exactWrites ?? service.exactWrites)
      const continuation = token === undefined ? undefined : parseContinuationToken(token)
      const input = { table, ...query, select, continuation }
      const { entities: items, continuation: next } = await rows.page(
        callOf(service, options, where),
        input,
      )
      return next === undefined
        ? { items }
        : { items, continuationToken: printContinuationToken(next) }
    },

    // A row with its ETag, as in a page.
    async findRow(key, { select }, options) {
      const found = await rows.find(callOf(service, options, where), { table, key, select })
      if (found?.etag === undefined || 'odata.etag' in found.raw) return found?.raw
      return { ...found.raw, 'odata.etag': found.etag }
    },

    readRow: (raw, { projected }) => readRow(from, raw, undefined, projected),
    keyOf: keyOfRaw,
    entityOf: (raw) => dynamicEntityCodec.read(revealRow(from, raw)),
  }
}

/** Returns what a page reads of each row. The markers of exact writes are recognized by their RowKey. */
function selectOf({ select }: CompiledQuery, isExact: boolean): readonly string[] | undefined {
  if (!isExact || !select?.length || select.includes('RowKey')) return select
  return [...select, 'RowKey']
}
