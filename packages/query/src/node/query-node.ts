import { and, DecodeError, type FilterNode } from '@rowkey/odata'
import { invalidQuery } from '../errors/query-errors.ts'
import type { QueryModel } from '../model/query-model.ts'
import { DEFAULT_SCAN_POLICY, type ScanPolicy } from '../plan/filter-plan.ts'

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
  /** Tests rows once they were read, beside the filter; absent when every row is wanted. */
  readonly localFilter?: RowPredicate
  /** What happens with rows that cannot be read; absent when they end the run. */
  readonly onBadRow?: BadRowPolicy | undefined
  /** Whether a resolver makes the rows. */
  readonly resolved?: boolean
}

/** Several queries that run at once. */
export interface ParallelNode {
  /** The condition of each, beside the filter of all. */
  readonly ranges: readonly FilterNode[]
  /** How many of them at most run at once. */
  readonly concurrency: number
  /** In what order their rows come. */
  readonly order: RowOrder
}

/** In what order the rows of several concurrent queries come: by key, or as they arrive. */
export type RowOrder = 'keys' | 'arrival'

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

/**
 * Rejects an invalid {@link BadRowPolicy}.
 *
 * @param policy - the caller's
 * @param model - the model that is queried, for the message
 * @throws InputError with the code `InvalidQuery`
 */
export function checkBadRowPolicy(policy: unknown, model: string): asserts policy is BadRowPolicy {
  if (policy === 'throw' || policy === 'skip' || typeof policy === 'function') return
  const given = typeof policy === 'string' ? JSON.stringify(policy) : `a ${typeof policy}`
  throw invalidQuery(
    `.onBadRow on ${model} takes 'throw', 'skip' or a function of the error; got ${given}.`,
    { model },
  )
}

/**
 * Applies the policy to what reading a row threw.
 *
 * @param policy - what the query says; `undefined` is `'throw'`
 * @param thrown - what reading the row threw
 * @throws what was thrown, unless it is a DecodeError and the policy says otherwise
 */
export async function passOver(policy: BadRowPolicy | undefined, thrown: unknown): Promise<void> {
  if (policy === undefined || policy === 'throw' || !(thrown instanceof DecodeError)) throw thrown
  if (policy !== 'skip') await policy(thrown)
}
