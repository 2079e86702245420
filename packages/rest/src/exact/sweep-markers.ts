import { declareOptions, type EntityKey, keyOfRaw, parseDateTime, wholeNumber } from '@rowkey/odata'
import type { Call, TableService } from '../call/call.ts'
import { type CallOptions, callOptions } from '../call/call-options.ts'
import { AmbiguousWriteError } from '../errors/ambiguous-write-error.ts'
import { BatchError } from '../errors/batch-error.ts'
import { deleteEntity, deleteEntityIfExists } from '../operations/delete-entity.ts'
import { type ChangeSet, entityGroupTransaction } from '../operations/entity-group-transaction.ts'
import {
  type EntitiesPage,
  type EntitiesQuery,
  MARKER_FILTER,
  queryEntities,
  readPage,
} from '../operations/query-entities.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { MOST_CHANGES } from '../transaction/change-set-size.ts'
import { LEAST_AGE } from './marker.ts'

/** The options of a sweep. */
export interface SweepOptions extends CallOptions {
  /**
   * Milliseconds since a marker was stored, by the service's clock: at least 10 minutes. A younger
   * marker stays. Longer than any attempt may be pending, and than a process repeats a write with its
   * `idempotencyKey`.
   *
   * @defaultValue 24 hours
   */
  readonly olderThan?: number | undefined
}

/** The rules of {@link SweepOptions}: a pending attempt must meet its marker. */
const sweepOptions = declareOptions<SweepOptions>({
  ...callOptions.rules,
  olderThan: wholeNumber(LEAST_AGE),
})

const DAY = 24 * 60 * 60 * 1000

/** A page of markers, and the service's clock when it was read. */
interface MarkerPage extends EntitiesPage {
  readonly readAt: number | undefined
}

/** Query Entities, with the markers that it leaves out. */
const queryMarkers: Operation<EntitiesQuery, MarkerPage> = {
  name: queryEntities.name,
  toRequest: queryEntities.toRequest,
  fromResponse(response, query) {
    const readAt = Date.parse(response.headers.date ?? '')
    return { ...readPage(response, query), readAt: Number.isNaN(readAt) ? undefined : readAt }
  },
}

/**
 * Deletes the old markers of exact writes in a table. It reads the markers page by page, with their keys
 * only, and deletes up to 100 of a partition with each request.
 *
 * @param service - the account of the table
 * @param table - the table's name
 * @param given - the options; also `olderThan`; all requests share the deadline
 * @param among - the filter of the rows whose markers are swept; all when absent
 * @returns how many markers were deleted
 * @throws `InputError` (`InvalidOptionValue`) for an age below 10 minutes
 *
 * @example
 * ```ts
 * await sweepMarkers(service, 'people')
 * ```
 */
export async function sweepMarkers(
  service: TableService,
  table: string,
  given: SweepOptions = {},
  among?: string,
): Promise<number> {
  const where = `sweepMarkers of table ${table}`
  sweepOptions.check(given, where)
  const { olderThan = DAY, ...options } = given
  return service.call(options, where, async (call) => {
    // The secondary lags behind, so a marker there may be deleted already.
    const reading = call.atPrimary()
    let query: EntitiesQuery = {
      table,
      filter: among === undefined ? MARKER_FILTER : `(${among}) and ${MARKER_FILTER}`,
      select: ['PartitionKey', 'RowKey', 'Timestamp'],
    }
    let deleted = 0
    for (;;) {
      const page = await reading.perform(queryMarkers, query)
      for (const keys of oldKeys(page, olderThan)) {
        await deleteMarkers(call, table, keys)
        deleted += keys.length
      }
      if (page.continuation === undefined) return deleted
      query = { ...query, continuation: page.continuation }
    }
  })
}

/**
 * Deletes markers of one partition in one transaction, or one by one when another sweep has deleted some. Markers have no
 * markers.
 */
async function deleteMarkers(call: Call, table: string, keys: readonly EntityKey[]): Promise<void> {
  const plain = call.plainly()
  try {
    await plain.perform(entityGroupTransaction, deletionsOf(table, keys))
  } catch (error) {
    if (!isBatchRejected(error)) throw error
    for (const key of keys) await plain.perform(deleteEntityIfExists, deletionOf(table, key))
  }
}

/**
 * Returns the transaction that deletes markers of one partition.
 *
 * @param table - the table's name
 * @param keys - the keys of at most 100 markers
 */
export function deletionsOf(table: string, keys: readonly EntityKey[]): ChangeSet {
  const changes = keys.map((key) => ({ operation: deleteEntity, input: deletionOf(table, key) }))
  return { table, changes }
}

function deletionOf(table: string, key: EntityKey): EntityWrite {
  return { table, key, body: '', etag: '*' }
}

/** The service rejected the transaction, perhaps after the response to an earlier attempt was lost. */
function isBatchRejected(error: unknown): boolean {
  if (error instanceof AmbiguousWriteError) return error.cause instanceof BatchError
  return error instanceof BatchError
}

/** The keys of the markers of a page that are old enough, by partition, at most 100 at once. */
function oldKeys({ entities, readAt }: MarkerPage, olderThan: number): EntityKey[][] {
  if (readAt === undefined) return []
  const groups: EntityKey[][] = []
  for (const raw of entities) {
    const { Timestamp } = raw
    if (typeof Timestamp !== 'string') continue
    if (parseDateTime(Timestamp).getTime() > readAt - olderThan) continue
    const key = keyOfRaw(raw)
    const last = groups.at(-1)
    const isFull = last === undefined || last.length >= MOST_CHANGES
    if (isFull || last[0]?.partitionKey !== key.partitionKey) groups.push([key])
    else last.push(key)
  }
  return groups
}
