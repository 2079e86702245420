import { and, comparison, keyOfRaw, literalOf, printFilter, type RawEntity } from '@rowkey/odata'
import { type CallOptions, findEntity, perform, queryEntities } from '@rowkey/rest'
import { etagIn } from '../../codec/class-codec.ts'
import type { TableParts } from '../table-parts.ts'
import type { EntityChange } from './entity-change.ts'

/** A row as it is stored now. */
interface StoredRow {
  readonly raw: RawEntity
  readonly etag: string | undefined
}

/** Reads the stored row of a change; `undefined` for a missing one. */
export type RowRead = (change: EntityChange) => Promise<StoredRow | undefined>

/** The table whose rows are read. */
interface ReadTable extends Pick<TableParts<object>, 'service' | 'name'> {
  /** Present when what is stored with a write may depend on all properties. */
  readonly planner?: object | undefined
}

/** So many rows of one partition are read by one query. Fewer are read one by one. */
const FEWEST_TOGETHER = 10
/** A query may read so many rows for each that is wanted. */
const MOST_FOR_EACH = 10

/**
 * Makes what reads the rows of some changes of one partition. Many rows are read by one query over the range of their keys. When other
 * rows lie between them and fill the page, the rest is read one by one.
 *
 * @param changes - those whose rows are needed
 */
export async function storedRows(
  changes: readonly EntityChange[],
  table: ReadTable,
  options: CallOptions,
): Promise<RowRead> {
  // A copy in a second region lags behind, and its ETags match nothing.
  const atPrimary: CallOptions = { ...options, locationMode: 'primaryOnly' }
  const read: RowRead = (change) => storedRow(change, table, atPrimary)
  if (changes.length < FEWEST_TOGETHER) return read
  const { rows, isWhole } = await rowsBetween(changes, table, atPrimary)
  return async (change) => {
    const found = rows.get(change.input.key.rowKey)
    return found === undefined && !isWhole ? read(change) : found
  }
}

async function rowsBetween(
  changes: readonly EntityChange[],
  { service, name: table, planner }: ReadTable,
  options: CallOptions,
): Promise<{ readonly rows: ReadonlyMap<string, StoredRow>; readonly isWhole: boolean }> {
  const keys = changes.map(({ input }) => input.key)
  const rowKeys = keys.map(({ rowKey }) => rowKey).toSorted()
  const text = (name: string, operator: 'eq' | 'ge' | 'le', value = '') =>
    comparison(name, operator, literalOf(value, 'String'))
  const filter = and(
    text('PartitionKey', 'eq', keys[0]?.partitionKey),
    text('RowKey', 'ge', rowKeys[0]),
    text('RowKey', 'le', rowKeys.at(-1)),
  )
  const names = changes.flatMap(({ check }) => check?.names ?? [])
  const select = planner ? undefined : [...new Set(['PartitionKey', 'RowKey', ...names])]
  const top = Math.min(MOST_FOR_EACH * changes.length, 1_000)
  const query = { table, filter: printFilter(filter), select, top }
  const { entities, continuation } = await perform(service, queryEntities, query, options)
  const rows = entities.map(
    (raw) => [keyOfRaw(raw).rowKey, { raw, etag: etagIn(raw, undefined) }] as const,
  )
  return { rows: new Map(rows), isWhole: continuation === undefined }
}

/** Reads the row of a change: all of it for a plan, and otherwise what the check reads. */
async function storedRow(
  { input: { key }, check }: EntityChange,
  { service, name: table, planner }: ReadTable,
  options: CallOptions,
): Promise<StoredRow | undefined> {
  const select = planner ? [] : ['PartitionKey', 'RowKey', ...(check?.names ?? [])]
  const found = await perform(service, findEntity, { table, key, select }, options)
  return found && { raw: found.raw, etag: etagIn(found.raw, found.etag) }
}
