import {
  compareKeys,
  type EntityKey,
  type FilterNode,
  type InputError,
  keyBounds,
  pointReadsOf,
  printFilter,
} from '@rowkey/odata'
import { queryInputError } from '../errors/codes.ts'
import { type QueryNode, withFilter } from '../node/query-node.ts'
import { allowsPlan, type PlanClass, planClassOf } from '../plan/filter-plan.ts'

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
  const { select, take, pageSize, localFilter } = node
  const filter = loweredFilter(node)
  const limit = localFilter === undefined ? take : undefined
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
  if (model.lowerKeys === undefined) return filter
  if (!lowered.has(node)) lowered.set(node, model.lowerKeys(filter))
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
  return planClassOf(filter) === 'point' ? undefined : pointReadsOf(filter)
}

/**
 * Rejects a query that would read more than its scan policy allows.
 *
 * @throws InputError with the code `TableScan` when the service would read the whole table, or a range of
 * partitions where the policy excludes those, and with the code `PartitionScan` when it would read a whole
 * partition where the policy excludes that
 */
export function checkScan(node: QueryNode): void {
  const plan = planClassOf(loweredFilter(node))
  if (!allowsPlan(node.scans, plan)) throw scanError(node, plan)
}

function scanError(node: QueryNode, plan: PlanClass): InputError {
  const { name: model } = node.model
  const { filter } = compileQuery(node)
  const details = { model, filter }
  const itsFilter = filter === undefined ? 'It has no condition' : `Its filter is: ${filter}`
  if (plan === 'partitionScan') {
    return queryInputError({
      code: 'PartitionScan',
      details,
      message:
        `The query on ${model} does not bound RowKey, so the service would read the whole partition. ${itsFilter}. ` +
        'Add a condition on RowKey that must always hold, or allow it with .allowPartitionScan().',
    })
  }
  const what =
    plan === 'tableScan'
      ? 'does not bound PartitionKey, so the service would read the whole table'
      : 'does not fix PartitionKey, so the service would read every partition of a range'
  return queryInputError({
    code: 'TableScan',
    details,
    message:
      `The query on ${model} ${what}. ${itsFilter}. ` +
      'Add a condition on PartitionKey that must always hold, or allow it with .allowTableScan().',
  })
}

/** One of several queries that run at once. */
export interface RangeNode {
  /** The query. */
  readonly node: QueryNode
  /** None of its rows comes before this key. */
  readonly low: EntityKey
}

/** Splits a query into the queries that it stands for, in the order in which their rows can begin. */
export function rangeNodes(node: QueryNode): readonly RangeNode[] {
  const { parallel, ...rest } = node
  const ranges = (parallel?.ranges ?? []).map((range) => {
    const ranged = withFilter(rest, range)
    return { node: ranged, low: lowestKey(ranged) }
  })
  return ranges.toSorted((one, other) => compareKeys(one.low, other.low))
}

/** RowKeys begin again in every partition, so their bound counts only within one partition. */
function lowestKey(node: QueryNode): EntityKey {
  const { partitionKey, rowKey } = keyBounds(loweredFilter(node))
  const bound = partitionKey.exact === undefined ? undefined : rowKey.low
  return { partitionKey: partitionKey.low ?? '', rowKey: bound ?? '' }
}
