import {
  checkEntityKey,
  comparison,
  EntityProperty,
  type FilterNode,
  literalOf,
} from '@rowkey/odata'
import { conditionFilter } from '../condition/where-condition.ts'
import { QueryError } from '../errors/query-error.ts'
import type { QueryModel } from '../query-model.ts'
import type { ParallelNode, RowOrder } from '../query-node.ts'
import { checkConcurrency, DEFAULT_CONCURRENCY } from '../run/results-in-order.ts'
import type { ParallelOptions, ParallelRanges } from './parallel-options.ts'

const ORDERS: readonly unknown[] = ['keys', 'arrival'] satisfies RowOrder[]

/**
 * What several conditions at once come to.
 *
 * @throws {@link QueryError} for a condition that is none, and options that there are not
 */
export function parallelNode<Shape>(
  model: QueryModel,
  queries: ParallelRanges<Shape>,
): ParallelNode {
  const { ranges, ...options }: Partial<ParallelRanges<Shape>> = queries ?? {}
  const settings = parallelSettings(options)
  const conditions = checkArray(
    ranges,
    'ranges',
    '[{ firstName: lt("M") }, { firstName: ge("M") }]',
  )
  return { ranges: conditions.map((range) => conditionFilter<Shape>(model, range)), ...settings }
}

/**
 * The partitions by these keys, each once.
 *
 * @throws EntityKeyError for what cannot be a PartitionKey
 */
export function partitionRanges(partitionKeys: readonly string[]): readonly FilterNode[] {
  const keys = new Set(checkArray(partitionKeys, 'The partitions', "['Smith', 'Jones']"))
  return [...keys].map((partitionKey) => {
    checkEntityKey({ partitionKey, rowKey: '' })
    return comparison('PartitionKey', 'eq', literalOf(EntityProperty.string(partitionKey)))
  })
}

/**
 * Completes and checks the options.
 *
 * @throws {@link QueryError} for an option that there is not, and a value that it cannot have
 */
export function parallelSettings(options: ParallelOptions): Omit<ParallelNode, 'ranges'> {
  const {
    concurrency = DEFAULT_CONCURRENCY,
    order = 'keys',
    ...unknown
  }: ParallelOptions = options ?? {}
  const [name] = Object.keys(unknown)
  if (name !== undefined) {
    throw new QueryError({
      message: `Queries at once have no option "${name}": there are concurrency and order.`,
    })
  }
  checkConcurrency(concurrency)
  if (ORDERS.includes(order)) return { concurrency, order }
  throw new QueryError({
    message: `order: ${String(order)} is no order in which rows can come: say 'keys' or 'arrival'.`,
  })
}

function checkArray<Item>(
  given: readonly Item[] | undefined,
  what: string,
  example: string,
): readonly Item[] {
  if (Array.isArray(given)) return given
  throw new QueryError({ message: `${what} must be given as an array, such as ${example}.` })
}
