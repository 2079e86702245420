import {
  type EntityModel,
  KeyCodec,
  queryModelOf,
  queryThrough,
  type RowSource,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import {
  and,
  conjunctsOf,
  type DigestedQuery,
  type EntityKey,
  type FilterNode,
  InputError,
  isRowkeyError,
  keyBounds,
  keyOfRaw,
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
} from '@rowkey/query'
import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import type { ModelTable } from '../rows/model-table.ts'
import { inPartition, textIs } from '../rows/row-filter.ts'
import {
  type FoundEntries,
  type FoundEntry,
  MOST_ENTRIES,
  rowsOf,
  type WantedRow,
  wantedRow,
} from './entry-rows.ts'

/** Finds entries that lead to the rows of a table. */
export interface EntryFinder {
  /** The model of the rows, with the keys of the entries. */
  readonly model: EntityModel<object>
  /** Whether each row and its entry are written together and no row is hidden, so that counting entries counts rows. */
  readonly isExact: boolean
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
 * @param rows - the table of the rows
 * @param table - the same table
 * @param finder - finds the entries
 */
export function queryByEntries<Entity extends object, Input extends object, Key extends object>(
  rows: Table<Entity, Input, Key>,
  table: ModelTable,
  finder: EntryFinder,
): TableQuery<Entity> {
  const model = entryQueryModel(finder.model, queryModelOf(table.model))
  return queryThrough(rows, model, (own) => entriesSource(own, table, finder))
}

/**
 * Makes the query model of rows that entries lead to: they store what is the whole PartitionKey of entries as a property of any type. Parts
 * of the keys of rows that no entry has can be selected.
 */
function entryQueryModel(model: EntityModel<object>, rows: QueryModel): QueryModel {
  const { segments, properties } = model.partitionKey
  const isStored = model.columns.some(({ property }) => property === properties[0])
  // After a fixed text, also an empty one, a stored property is only a part of the key.
  const partitionKey = new KeyCodec(['', ...segments])
  const own = queryModelOf(isStored && segments.length === 1 ? { ...model, partitionKey } : model)
  const column = (property: string) => {
    const inRows = rows.column(property)
    return own.column(property) ?? (inRows && { ...inRows, unfilterable: NOT_IN_ENTRIES })
  }
  return { ...own, column }
}

const NOT_IN_ENTRIES = 'Only the key of the rows has it. Read the entities, and compare it there.'

/** How many entries are counted by one request. */
const COUNTED_ENTRIES = 1_000

function entriesSource<Entity>(
  own: RowSource<Entity>,
  { service, name }: ModelTable,
  finder: EntryFinder,
): RowSource<Entity> {
  const where = `A query of table ${name}`
  /** The keys of the entries that rows were found by. */
  const keys = new WeakMap<RawEntity, EntityKey>()
  const read = async ({ key, row, isOf }: FoundEntry, wanted: WantedRow, call: Call) => {
    const found = await own.findRow(row, {}, call.options)
    if (found === undefined || !isOf(found)) return undefined
    const raw = wantedRow(found, wanted, key)
    if (raw !== undefined) keys.set(raw, key)
    return raw
  }
  return {
    ...own,
    isUnsorted: false,
    keyOf: (raw) => keys.get(raw) ?? keyOfRaw(raw),
    explain: (plan) => finder.explain(plan),

    async findRow({ partitionKey, rowKey }, query, options) {
      const isKey = and(inPartition(partitionKey), textIs('RowKey', 'eq', rowKey))
      const wanted = { filter: filterOf(query), select: query.select }
      const { entries } = await finder.find(isKey, 1, options)
      const [entry] = entries
      return entry && read(entry, wanted, callOf(service, options, where))
    },

    async fetchPage(query, { continuationToken }, options): Promise<QueryPage<RawEntity>> {
      const digested = { ...query, table: name }
      const { count = 0, after } = placeIn(continuationToken, digested)
      const wanted = { filter: filterOf(query), select: query.select }
      const isCount = finder.isExact && isCounted(wanted)
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

function andAfter(
  filter: FilterNode | undefined,
  after: EntityKey | undefined,
): FilterNode | undefined {
  if (after === undefined) return filter
  const { partitionKey, rowKey } = after
  const later = textIs('RowKey', 'gt', rowKey)
  const isOne = filter !== undefined && keyBounds(filter).partitionKey.exact === partitionKey
  const rest = isOne
    ? later
    : or(textIs('PartitionKey', 'gt', partitionKey), and(inPartition(partitionKey), later))
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
