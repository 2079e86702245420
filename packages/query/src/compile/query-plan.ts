import { checkEntityKey, type EntityKey, type KeyCheck, usesIn } from '@rowkey/odata'
import { ACCOUNT_BOUNDS } from '../concurrency/concurrency-level.ts'
import { hasDefault, missingIn } from '../condition/missing-values.ts'
import { isStorable } from '../key/is-storable.ts'
import { columnsByName } from '../model/query-model.ts'
import {
  type CompiledQuery,
  compileQuery,
  inListedPartitions,
  loweredFilter,
  type ParallelNode,
  pointKeysOf,
  type QueryNode,
  rangeNodes,
  withChange,
} from '../node/query-node.ts'
import {
  allowsPlan,
  type FilterPlan,
  freer,
  matchesNothing,
  type PlanClass,
  planOf,
  ROW_BY_ROW,
} from '../plan/filter-plan.ts'
import { priceRange, type RequestRange, sumOfRanges } from '../plan/request-range.ts'

/** The request of a query and its cost. */
export interface QueryPlan extends CompiledQuery, FilterPlan {
  /** How many requests the query takes when it is read to its end, retries not counted. */
  requests: RequestRange
  /** What these requests cost in US dollars, at `LIST_PRICE`; absent on Cosmos DB, which bills request units. */
  dollars?: RequestRange
  /**
   * The entities that are read one by one, instead of sending the filter; absent when it is sent.
   */
  pointReads?: readonly EntityKey[]
  /** The index by which the rows are found; absent when the filter is sent. */
  index?: string
  /** The queries that run at once, instead of one; absent when the query is sent as it is. */
  queries?: readonly QueryPlan[]
}

/**
 * Explains the request of a query, and the rows that the service has to read.
 *
 * @param node - the query
 * @param source - what its source can do
 */
export function explainQuery(node: QueryNode, source: SourceTraits): QueryPlan {
  const plan = planOfNode(node, source)
  if (source.isUnsorted) return unsortedPlan(node, plan)
  return { ...plan, dollars: priceRange(plan.requests) }
}

/** The abilities of a source that a plan depends on. */
export interface SourceTraits {
  /** Whether it can read one entity by its key. */
  readonly readsByKey: boolean
  /** Whether its rows come in an order that is not the order of keys, as on Cosmos DB. */
  readonly isUnsorted: boolean
  /** Rejects the keys that no row has; absent for the rules of Table storage. */
  readonly checkKey?: KeyCheck | undefined
}

function planOfNode(node: QueryNode, { readsByKey, checkKey }: SourceTraits): QueryPlan {
  if (node.parallel !== undefined) return parallelPlan(node, node.parallel)
  const keys = readsByKey ? pointKeysOf(node) : undefined
  if (keys !== undefined) return pointPlan(node, keys, checkKey)
  const listed = inListedPartitions(node)
  return listed.parallel === undefined ? planQuery(node) : parallelPlan(listed, listed.parallel)
}

/** Says what differs on Cosmos DB: all properties but the Timestamp are indexed there, and rows are not sorted. */
function unsortedPlan(node: QueryNode, plan: QueryPlan): QueryPlan {
  const order = inListedPartitions(node).parallel?.order === 'keys' ? SORTED_HERE : UNSORTED
  const reasons = plan.reasons.map((reason) => (reason === ROW_BY_ROW ? ALL_INDEXED : reason))
  const isTimed = [...usesIn(node.filter)].some(({ test }) => test?.property === 'Timestamp')
  return {
    ...plan,
    ...warned([...(plan.warnings ?? []), ...(isTimed ? [UNTIMED] : [])]),
    reasons: plan.plan === 'point' && plan.queries === undefined ? reasons : [...reasons, order],
    ...(plan.queries && { queries: plan.queries.map((query) => unsortedPlan(node, query)) }),
  }
}

const UNTIMED =
  'Cosmos DB matches no row by its Timestamp. Move the condition to .filterLocally, which tests rows after they were read.'
const UNSORTED = 'Cosmos DB does not sort rows, so .first() gives any of them.'
const SORTED_HERE =
  'Cosmos DB does not sort rows: each query is read to its end, and its rows are sorted here.'
const ALL_INDEXED = 'Cosmos DB indexes all properties, so it reads only the entities that match.'

function planQuery(node: QueryNode): QueryPlan {
  const { reasons, warnings = [], ...plan } = planOf(loweredFilter(node))
  return {
    ...plan,
    ...compileQuery(node),
    reasons: [...reasons, ...defaultReasons(node)],
    requests: requestsOf(node, plan.plan),
    ...warned([...warnings, ...scanWarning(node, plan.plan), ...localWarning(node)]),
  }
}

function defaultReasons({ model, filter }: QueryNode): readonly string[] {
  const columns = columnsByName(model)
  return [...new Set(missingIn(model, filter))].flatMap((name) => {
    const column = columns.get(name)
    if (column === undefined || !hasDefault(column)) return []
    return [`Also finds entities that do not store ${name}: they are read with its default.`]
  })
}

/** One entity never takes a second page. */
function requestsOf(node: QueryNode, plan: PlanClass): RequestRange {
  if (matchesNothing(loweredFilter(node))) return { least: 0, most: 0 }
  return plan === 'point' ? { least: 1, most: 1 } : { least: 1 }
}

/** The plan of a query that reads entities by their keys. */
function pointPlan(
  node: QueryNode,
  keys: readonly EntityKey[],
  checkKey: KeyCheck = checkEntityKey,
): QueryPlan {
  const most = keys.filter((key) => isStorable(key, checkKey)).length
  // No page is fetched, and the filter is not sent.
  const { top: _top, warnings: _warnings, ...plan } = planQuery(node)
  return {
    ...plan,
    plan: 'point',
    reasons: [`${readsOf(keys.length)} By pages, it is one query with the plan ${plan.plan}.`],
    requests: { least: Math.min(most, node.take ?? most), most },
    ...warned(localWarning(node)),
    pointReads: keys,
  }
}

function readsOf(count: number): string {
  if (count === 0) return 'Sends nothing, since no row can match.'
  return count === 1
    ? 'Reads one entity by its key.'
    : `Reads ${count} entities by their keys, up to ${ACCOUNT_BOUNDS.ceiling} at once.`
}

const ORDERS: Readonly<Record<ParallelNode['order'], string>> = {
  keys: 'in the order of their keys',
  rowKeys: 'in the order of their RowKeys',
  arrival: 'as they arrive',
}

/**
 * The plan of a query that stands for several: the plan of each, and the most expensive as its own. It has
 * no filter, since each query sends its own.
 */
function parallelPlan(node: QueryNode, parallel: ParallelNode): QueryPlan {
  const queries = rangeNodes(node).map((range) => planQuery(range.node))
  const plans = queries.map(({ plan }) => plan)
  const all = sumOfRanges(queries.map(({ requests }) => requests))
  // The ranges may add conditions that the whole query lacks: a part of a key, for one.
  const { filter: _filter, ...shared } = compileQuery(withChange(node, { filter: undefined }))
  return {
    ...shared,
    plan: plans.reduce<PlanClass>(freer, 'point'),
    comparisons: Math.max(0, ...queries.map(({ comparisons }) => comparisons)),
    reasons: [
      `Runs ${queries.length} queries, up to ${parallel.concurrency ?? ACCOUNT_BOUNDS.ceiling} at once; rows come ${ORDERS[parallel.order]}.`,
      ...new Set(queries.flatMap(({ reasons }) => reasons)),
    ],
    // With a limit, the first of them may be enough.
    requests: node.take === undefined ? all : { ...all, least: Math.min(1, all.least) },
    ...warned([...new Set(queries.flatMap((query) => query.warnings ?? []))]),
    queries,
  }
}

function warned(warnings: readonly string[]): Pick<QueryPlan, 'warnings'> {
  return warnings.length > 0 ? { warnings } : {}
}

function scanWarning({ scans }: QueryNode, plan: PlanClass): readonly string[] {
  if (allowsPlan(scans, plan)) return []
  const optIn = plan === 'partitionScan' ? 'allowPartitionScan' : 'allowTableScan'
  return [`The query is rejected unless you call .${optIn}().`]
}

function localWarning({ localTests }: QueryNode): readonly string[] {
  if (localTests === undefined) return []
  return ['.filterLocally drops rows after they were read, sent and billed.']
}
