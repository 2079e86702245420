import {
  checkEntityKey,
  comparison,
  declareOptions,
  EntityProperty,
  type FilterNode,
  literalOf,
  oneOf,
} from '@rowkey/odata'
import { concurrencyRule } from '../concurrency/level-of-run.ts'
import { conditionFilter, type WhereCondition } from '../condition/where-condition.ts'
import { invalidQuery, rejectQuery } from '../errors/invalid-query.ts'
import type { QueryModel } from '../model/query-model.ts'
import type { ParallelNode, RowOrder } from '../node/query-node.ts'

/** How several queries run at once. */
export interface ParallelOptions {
  /**
   * How many queries at most run at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64. At most 16,000 rows are fetched ahead then, once the first
   * page has come
   */
  readonly concurrency?: number | undefined
  /**
   * `'keys'` gives rows in the order of PartitionKey and RowKey, as one query would. `'rowKeys'` merges partitions
   * by RowKey, such as the buckets that spread a log; each query must name one partition. `'arrival'` gives rows
   * as they come, so that a slow partition does not hold up the others. Cosmos DB does not sort rows: except with
   * `'arrival'`, each query is read to its end there before its first row comes.
   *
   * @defaultValue `'keys'`
   */
  readonly order?: RowOrder | undefined
}

/** The queries that run at once. */
export interface ParallelRanges<Shape> extends ParallelOptions {
  /** The condition of each query, beside the conditions of `.where`. */
  readonly ranges: readonly WhereCondition<Shape>[]
}

const orders = ['keys', 'rowKeys', 'arrival'] satisfies RowOrder[]

const parallelRules = declareOptions<ParallelOptions>(
  { concurrency: concurrencyRule, order: oneOf(...orders) },
  rejectQuery,
)

/**
 * Makes the node of several conditions that run at once.
 *
 * @throws InputError with the code `InvalidQuery` for an invalid condition, and for unknown options
 */
export function parallelNode<Shape>(
  model: QueryModel,
  queries: ParallelRanges<Shape>,
): ParallelNode {
  const { ranges, ...options }: Partial<ParallelRanges<Shape>> = queries ?? {}
  const how = parallelOptions(options)
  const conditions = checkArray(
    ranges,
    'ranges',
    '[{ firstName: lt("M") }, { firstName: ge("M") }]',
  )
  return { ranges: conditions.map((range) => conditionFilter<Shape>(model, range)), ...how }
}

/**
 * Makes the node of some partitions, each once.
 *
 * @throws InputError with the code `InvalidEntityKey` for what cannot be a PartitionKey, and with the code
 * `InvalidQuery` for unknown options
 */
export function partitionsNode(
  partitionKeys: readonly string[],
  options: ParallelOptions,
): ParallelNode {
  const keys = new Set(checkArray(partitionKeys, 'The partitions', "['Smith', 'Jones']"))
  const ranges = [...keys].map((partitionKey): FilterNode => {
    checkEntityKey({ partitionKey, rowKey: '' })
    return comparison('PartitionKey', 'eq', literalOf(EntityProperty.string(partitionKey)))
  })
  return { ranges, ...parallelOptions(options) }
}

function parallelOptions(options: ParallelOptions): Omit<ParallelNode, 'ranges'> {
  parallelRules.check(options, 'concurrent queries')
  const { concurrency, order = 'keys' } = options
  return { concurrency, order }
}

function checkArray<Item>(
  given: readonly Item[] | undefined,
  what: string,
  example: string,
): readonly Item[] {
  if (Array.isArray(given)) return given
  throw invalidQuery(`${what} must be an array, such as ${example}.`)
}
