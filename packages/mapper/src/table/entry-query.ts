import {
  and,
  comparison,
  conjunctsOf,
  type DigestedQuery,
  type EntityKey,
  type FilterNode,
  InputError,
  isRowkeyError,
  keyBounds,
  keyOfRaw,
  literalOf,
  or,
  parseFilter,
  propertiesIn,
  type RawEntity,
} from '@rowkey/odata'
import {
  type CompiledQuery,
  invalidPlace,
  placeParts,
  printPlace,
  type QueryModel,
  type QueryPage,
  type QueryPlan,
  queryNode,
} from '@rowkey/query'
import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import { MOST_ENTRIES, rowsOf, type WantedRow, wantedRow } from '../keep/entry-rows.ts'
import type { TableSource } from '../keep/path-source.ts'
import type { FoundEntries, FoundEntry } from '../keep/row-path.ts'
import { KeyCodec, wholeKeyOf } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { entitySource } from '../rows/entity-source.ts'
import { queryModelOf } from '../rows/query-model-of.ts'
import type { TableParts } from '../rows/table-parts.ts'
import type { Table } from './table.ts'
import { TableQuery } from './table-query.ts'

/** Finds entries that lead to the rows of a table. */
export interface EntryFinder {
  /**
   * Whether each row and its entry are written together, so that counting entries counts rows.
   *
   * @defaultValue `false`: rows are read when they are counted
   */
  readonly isExact?: boolean | undefined
  /**
   * Fetches the first entries that meet a condition, in the order of their keys.
   *
   * @param filter - a condition on the keys of entries
   * @param top - how many at most
   * @param options - the options of the run
   */
  find(filter: FilterNode | undefined, top: number, options: CallOptions): Promise<FoundEntries>
  /** Explains a query by the entries. */
  explain(plan: QueryPlan): QueryPlan
}

/**
 * Starts a query of a table in the order of entries, such as those of an index. It is a query as any other: its conditions may be on all
 * properties that rows store or keys of entries have. Those on the keys of entries bound what is read. Then each row is read by its key and compared with the others.
 *
 * @param table - the table of the rows
 * @param model - the model of the rows, with the keys of the entries
 * @param finder - finds the entries
 *
 * @example
 * ```ts
 * const byName = queryByEntries(employees, { ...Employee, rowKey: key`name_${'lastName'}_${'id'}` }, finder)
 * const first = await byName.where({ department: 'Sales', lastName: 'Jones' }).first()
 * ```
 */
export function queryByEntries<Entity extends object, Input extends object, Key extends object>(
  table: Table<Entity, Input, Key>,
  model: EntityModel<object>,
  finder: EntryFinder,
): TableQuery<Entity> {
  const { parts } = table
  // A page ahead would read rows that a caller who leaves the loop never sees.
  const compiled = entryQueryModel(model, parts.queryModel)
  const node = { ...queryNode(compiled, parts.scans), prefetch: false }
  return new TableQuery(node, entriesSource(parts, finder), table.rawRows, false)
}

/**
 * Makes the query model of rows that entries lead to: they store what is the whole PartitionKey of entries as a property of any type. Parts
 * of the keys of rows that no entry has can be selected.
 */
function entryQueryModel(model: EntityModel<object>, rows: QueryModel): QueryModel {
  const { partitionKey, columns } = model
  const whole = wholeKeyOf(partitionKey)
  const isStored = columns.some(({ property }) => property === whole)
  // After a fixed text, also an empty one, it is a part of the key.
  const segments = ['', ...partitionKey.segments]
  const own = queryModelOf(isStored ? { ...model, partitionKey: new KeyCodec(segments) } : model)
  const column = (property: string) => {
    const inRows = rows.column(property)
    return own.column(property) ?? (inRows && { ...inRows, unfilterable: NOT_IN_ENTRIES })
  }
  return { ...own, column }
}

const NOT_IN_ENTRIES = 'Only the key of the rows has it. Read the entities, and compare it there.'

/** How many entries are counted by one request. */
const COUNTED_ENTRIES = 1_000

function entriesSource<Entity extends object>(
  parts: TableParts<Entity>,
  finder: EntryFinder,
): TableSource<Entity> {
  const { service, name, rows } = parts
  const where = `A query of table ${name}`
  const source = entitySource(parts)
  /** The keys of the entries that rows were found by. */
  const keys = new WeakMap<RawEntity, EntityKey>()
  const read = async ({ key, row, isOf }: FoundEntry, wanted: WantedRow, call: Call) => {
    const found = await rows.find(call, { table: name, key: row })
    if (found === undefined || !isOf(found.raw)) return undefined
    const raw = wantedRow(found, wanted, key)
    if (raw !== undefined) keys.set(raw, key)
    return raw
  }
  return {
    ...source,
    isUnsorted: false,
    keyOf: (raw) => keys.get(raw) ?? keyOfRaw(raw),
    explain: (plan) => finder.explain(plan),

    async findRow(key, query, options) {
      const own = and(keyIs('PartitionKey', key.partitionKey), keyIs('RowKey', key.rowKey))
      const wanted = { filter: filterOf(query), select: query.select }
      const { entries } = await finder.find(own, 1, options)
      const [entry] = entries
      return entry && read(entry, wanted, callOf(service, options, where))
    },

    async fetchPage(query, { continuationToken }, options): Promise<QueryPage<RawEntity>> {
      const digested = { ...query, table: name }
      const { count = 0, after } = placeIn(continuationToken, digested)
      const wanted = { filter: filterOf(query), select: query.select }
      const isCount = finder.isExact === true && !rows.isHiding && isCounted(wanted)
      const most = query.top ?? (isCount ? COUNTED_ENTRIES : Math.min(4 * count || 1, MOST_ENTRIES))
      const condition = andAfter(entryCondition(wanted.filter), after)
      const { entries, isEnd } = await finder.find(condition, most, options)
      const one = (entry: FoundEntry, each: Call) => read(entry, wanted, each)
      const call = callOf(service, options, where)
      const { items } = isCount
        ? { items: entries.map(({ row }) => ({ PartitionKey: row.partitionKey })) }
        : await rowsOf(entries, { call, read: one, most })
      const last = entries.at(-1)
      if (isEnd || last === undefined) return { items }
      const next = { count: count + entries.length, after: last.key }
      return { items, continuationToken: printed(next, digested) }
    },
  }
}

/** Tells whether rows are only counted, and keys of entries decide which. Only a count reads nothing but the PartitionKey. */
function isCounted({ filter, select }: WantedRow): boolean {
  if (select?.join() !== 'PartitionKey') return false
  return filter === undefined || propertiesIn(filter).every((name) => KEYS.has(name))
}

/** @throws InputError (`InvalidQuery`) for a filter that the caller wrote by hand and only the service understands */
function filterOf({ filter }: CompiledQuery): FilterNode | undefined {
  if (filter === undefined) return undefined
  try {
    return parseFilter(filter)
  } catch (cause) {
    if (!isRowkeyError(cause)) throw cause
    throw new InputError({
      code: 'InvalidQuery',
      message: `A query by an index compares entities in this program, so it cannot use the raw filter ${JSON.stringify(filter)}: ${cause.message} Write the condition with .where((c) => …), or query the table without the index.`,
      cause,
    })
  }
}

/** The part of a condition that only keys of entries decide; `undefined` without one. */
function entryCondition(filter: FilterNode | undefined): FilterNode | undefined {
  const own = conjunctsOf(filter).filter((each) =>
    propertiesIn(each).every((name) => KEYS.has(name)),
  )
  return own.length === 0 ? undefined : and(...own)
}

const KEYS: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey'])

function keyIs(name: 'PartitionKey' | 'RowKey', value: string): FilterNode {
  return comparison(name, 'eq', literalOf(value, 'String'))
}

function andAfter(
  filter: FilterNode | undefined,
  after: EntityKey | undefined,
): FilterNode | undefined {
  if (after === undefined) return filter
  const { partitionKey, rowKey } = after
  const later = comparison('RowKey', 'gt', literalOf(rowKey, 'String'))
  const isOne = filter !== undefined && keyBounds(filter).partitionKey.exact === partitionKey
  const rest = isOne
    ? later
    : or(
        comparison('PartitionKey', 'gt', literalOf(partitionKey, 'String')),
        and(keyIs('PartitionKey', partitionKey), later),
      )
  return filter === undefined ? rest : and(filter, rest)
}

/** Where a run continues. */
interface Place {
  /** How many entries the pages before had. */
  readonly count: number
  /** The key of the last entry that was looked at. */
  readonly after: EntityKey
}

/** The beginning of the tokens. */
const MARK = '~i'

function printed({ count, after }: Place, query: DigestedQuery): string {
  return printPlace(MARK, [count, after.partitionKey, after.rowKey], query)
}

/** @throws InputError (`InvalidContinuationToken`) for the token of another query */
function placeIn(text: string | undefined, query: DigestedQuery): Partial<Place> {
  if (text === undefined) return {}
  const [count, partitionKey, rowKey] = placeParts(MARK, text, query)
  if (typeof count === 'number' && typeof partitionKey === 'string' && typeof rowKey === 'string') {
    return { count, after: { partitionKey, rowKey } }
  }
  throw invalidPlace()
}
