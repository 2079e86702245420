import {
  and,
  compareKeys,
  conjunctsOf,
  type DecodeError,
  type EntityKey,
  type EntityProperty,
  type FilterNode,
  keyBounds,
  pointReadsOf,
  printFilter,
  type Rule,
  rule,
  showingText,
} from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import { lowerKeys } from '../key/key-lowering.ts'
import type { QueryModel } from '../model/query-model.ts'
import {
  allowsPlan,
  DEFAULT_SCAN_POLICY,
  matchesNothing,
  planClassOf,
  type ScanPolicy,
} from '../plan/filter-plan.ts'

/** All parts of a query, as a frozen plain object. */
export interface QueryNode {
  /** The entities to read. */
  readonly model: QueryModel
  /** Every condition so far, joined by `and`; `undefined` without conditions. */
  readonly filter: FilterNode | undefined
  /** Stored names to read, system properties included; `undefined` reads them all. */
  readonly select: readonly string[] | undefined
  /** How many entities at most, over all pages. */
  readonly take: number | undefined
  /** How many entities at most in one page. */
  readonly pageSize: number | undefined
  /** Whether the next page is fetched while one is consumed; absent leaves it to the run. */
  readonly prefetch?: boolean | undefined
  /** The most expensive plan that the query may have. */
  readonly scans: ScanPolicy
  /** The conditions of the queries that this one stands for; absent when it is one query. */
  readonly parallel?: ParallelNode | undefined
  /**
   * Test rows once they were read, beside the filter; absent when every row is wanted. After `.resolve` the list begins
   * anew: it is empty when only the query before has tests.
   */
  readonly localTests?: readonly (RowPredicate | FilterNode)[] | undefined
  /** What happens with rows that cannot be read; absent when they end the run. */
  readonly onBadRow?: BadRowPolicy | undefined
  /** What makes the rows of entities; absent without a resolver. */
  readonly resolved?: {
    /** Makes a row of one entity. */
    readonly resolver: EntityResolver<unknown>
    /** The query before `.resolve`: the resolver gets only the rows that pass its local tests. */
    readonly before: QueryNode
  }
}

/**
 * Maps a row to any value: a part of it, or an object of the class that its key tells. It is called once
 * for each row; `undefined` and `null` are passed on too. What it throws ends the run, as the `cause` of a
 * DecodeError with the code `ResolverFailed` that names the row.
 *
 * @param partitionKey - PartitionKey
 * @param rowKey - RowKey
 * @param timestamp - when the service last wrote the entity, in UTC
 * @param properties - every other property as it is stored, by its stored name, with its type; with
 * `.select`, only the selected ones. Encrypted properties are still encrypted, and signatures are not
 * verified
 * @param etag - the ETag
 *
 * @example
 * ```ts
 * const toCustomerOrOrder: EntityResolver<Customer | Order> = (customer, rowKey, _, properties) => {
 *   if (rowKey.startsWith('0001')) return new Customer(customer, properties.get('name')?.as('String'))
 *   if (rowKey.startsWith('0002')) return new Order(customer, properties.get('total')?.as('Double'))
 *   throw new UnknownKindError(rowKey)
 * }
 * ```
 */
export type EntityResolver<Result> = (
  partitionKey: string,
  rowKey: string,
  timestamp: Date | undefined,
  properties: ReadonlyMap<string, EntityProperty>,
  etag: string | undefined,
) => Result

/** Several queries that run at once. */
export interface ParallelNode {
  /** The condition of each, beside the filter of all. */
  readonly ranges: readonly FilterNode[]
  /** How many of them at most run at once; `undefined` leaves it to the level of the account. */
  readonly concurrency: number | undefined
  /** In what order their rows come. */
  readonly order: RowOrder
}

/** In what order the rows of several concurrent queries come: by key, by RowKey over all partitions, or as they arrive. */
export type RowOrder = 'keys' | 'rowKeys' | 'arrival'

/** Tells whether a row is wanted. */
export type RowPredicate = (row: unknown) => boolean

/** Makes the query for every entity of a model. */
export function queryNode(model: QueryModel, scans: ScanPolicy = DEFAULT_SCAN_POLICY): QueryNode {
  const nothing = { filter: undefined, select: undefined, take: undefined, pageSize: undefined }
  return Object.freeze({ model, ...nothing, scans })
}

/** Returns the query with a change. */
export function withChange(node: QueryNode, change: Partial<QueryNode>): QueryNode {
  return Object.freeze({ ...node, ...change })
}

/** Returns the query with one more condition; the earlier ones hold too. */
export function withFilter(node: QueryNode, filter: FilterNode): QueryNode {
  return withChange(node, {
    filter: node.filter === undefined ? filter : and(node.filter, filter),
  })
}

/**
 * What a query does with a row that cannot be read, such as one that another program wrote or that does
 * not fit the schema:
 *
 * - `throw`: the run ends with a DecodeError that names the table, the key and the property
 * - `skip`: the row is left out
 * - a function: it is called with that error and awaited, and the row is left out; what it throws ends the
 *   run
 */
export type BadRowPolicy = 'throw' | 'skip' | ((error: DecodeError) => unknown)

/** The rule of a {@link BadRowPolicy}. */
export const badRowRule: Rule = showingText(
  rule(
    "'throw', 'skip' or a function of the error",
    (policy) => policy === 'throw' || policy === 'skip' || typeof policy === 'function',
  ),
)

/** The most entities in one page; the service rejects a larger `$top`. */
export const MAX_PAGE_SIZE = 1000

/**
 * A query as any client of the Table service takes it. Members that would say nothing are absent.
 *
 * @example
 * ```ts
 * const { filter, select } = query.compile()
 * tableClient.listEntities({ queryOptions: { filter, select } }) // another SDK
 * ```
 */
export interface CompiledQuery {
  /** The text of `$filter`, not yet percent-encoded. */
  filter?: string
  /** The stored names for `$select`, `PartitionKey`, `RowKey` and `Timestamp` first. */
  select?: string[]
  /** `$top`: how many entities at most in one page, 1 to 1,000. */
  top?: number
}

/**
 * Compiles a query.
 *
 * `$top` is the smaller of the page size and the limit, so that a limit of 5 does not fetch 1,000. It
 * stays the same over all pages, as the service expects. Where rows are dropped after they were read, the
 * limit counts the rest and does not count for `$top`.
 */
export function compileQuery(node: QueryNode): CompiledQuery {
  const { select, take, pageSize, localTests } = node
  const filter = loweredFilter(node)
  const limit = localTests === undefined ? take : undefined
  const top = Math.min(limit ?? Number.POSITIVE_INFINITY, pageSize ?? MAX_PAGE_SIZE)
  return {
    ...(filter && { filter: printFilter(filter) }),
    ...(select && { select: [...select] }),
    ...((pageSize !== undefined || top < MAX_PAGE_SIZE) && { top }),
  }
}

const lowered = new WeakMap<QueryNode, FilterNode | undefined>()

/**
 * Makes the filter that a query sends: conditions on parts of keys become conditions on the keys.
 *
 * @throws InputError with the code `InvalidQuery` for a condition on a part of a key that no condition on
 * the keys can express
 */
export function loweredFilter(node: QueryNode): FilterNode | undefined {
  const { model, filter } = node
  if (model.keys === undefined) return filter
  if (!lowered.has(node)) lowered.set(node, lowerKeys(model, filter))
  return lowered.get(node)
}

/**
 * Lists the entities that a query names by their whole keys: the service would scan a partition, or the
 * table, for the `or` between them.
 *
 * @returns `undefined` when the query is to be sent as it is
 */
export function pointKeysOf(node: QueryNode): readonly EntityKey[] | undefined {
  const filter = loweredFilter(node)
  // The service finds a single entity by itself, when the filter is only about its key.
  if (matchesNothing(filter)) return []
  return planClassOf(filter) === 'point' ? undefined : pointReadsOf(filter)
}

/**
 * Returns a query that lists partitions, as `anyOf` on the PartitionKey does, as one query for each. For the `or`, the service
 * would scan the table, so the query would be rejected.
 *
 * @returns the query itself when it lists none, or may scan the table
 */
export function inListedPartitions(node: QueryNode): QueryNode {
  if (node.parallel !== undefined) return node
  const filter = loweredFilter(node)
  if (allowsPlan(node.scans, planClassOf(filter))) return node
  const conditions = conjunctsOf(filter)
  const partitions = conditions.find(listsPartitions)
  if (partitions?.kind !== 'or') return node
  const others = conditions.filter((condition) => condition !== partitions)
  return withChange(node, {
    filter: others.length === 0 ? undefined : and(...others),
    parallel: { ranges: partitions.operands, concurrency: undefined, order: 'keys' },
  })
}

function listsPartitions(filter: FilterNode): boolean {
  if (filter.kind !== 'or') return false
  return filter.operands.every(
    (each) =>
      each.kind === 'comparison' && each.property === 'PartitionKey' && each.operator === 'eq',
  )
}

/** One of several queries that run at once. */
export interface RangeNode {
  /** The query. */
  readonly node: QueryNode
  /** None of its rows comes before this key. */
  readonly low: EntityKey
  /** The partition that it reads; `undefined` for several. */
  readonly partition: string | undefined
}

/**
 * Splits a query into the queries that it stands for, in the order in which their rows can begin. Those that no row can match are
 * left out.
 *
 * @throws InputError with the code `InvalidQuery` when rows are to come by RowKey, and a query does not name its partition
 */
export function rangeNodes(node: QueryNode): readonly RangeNode[] {
  const { parallel, ...rest } = node
  const queries = (parallel?.ranges ?? []).map((range) => withFilter(rest, range))
  const needed = queries.filter((query) => !matchesNothing(loweredFilter(query)))
  const ranges = needed.map((ranged) => {
    const low = mergeKey(lowestKey(ranged, parallel?.order), parallel?.order)
    const { exact: partition } = keyBounds(loweredFilter(ranged)).partitionKey
    return { node: ranged, low, partition }
  })
  return ranges.toSorted((one, other) => compareKeys(one.low, other.low))
}

/**
 * Returns what the rows of several queries are merged by. In the order of RowKeys, the two keys change places.
 *
 * @param key - the key of a row
 * @param order - of the rows
 */
export function mergeKey(key: EntityKey, order: RowOrder | undefined): EntityKey {
  return order === 'rowKeys' ? { partitionKey: key.rowKey, rowKey: key.partitionKey } : key
}

/** RowKeys begin again in every partition, so their bound counts only within one partition. */
function lowestKey(node: QueryNode, order: RowOrder | undefined): EntityKey {
  const { partitionKey, rowKey } = keyBounds(loweredFilter(node))
  // An empty range has no rows to merge.
  const isOne = partitionKey.exact !== undefined || partitionKey.empty
  if (!isOne && order === 'rowKeys') {
    throw invalidQuery(
      `.parallel on ${node.model.name} with order: 'rowKeys' needs queries of one partition each. Name the whole PartitionKey in .where or in each of ranges.`,
      { model: node.model.name },
    )
  }
  return { partitionKey: partitionKey.low ?? '', rowKey: (isOne && rowKey.low) || '' }
}
