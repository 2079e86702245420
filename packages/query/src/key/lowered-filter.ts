import type { FilterNode } from '@rowkey/odata'
import type { QueryModel } from '../query-model.ts'
import type { QueryNode } from '../query-node.ts'
import { KeyLowering } from './key-lowering.ts'

const lowerings = new WeakMap<QueryModel, KeyLowering>()
const lowered = new WeakMap<object, FilterNode | undefined>()

/**
 * The filter that a query sends: what was asked about parts of keys is asked about the keys.
 *
 * @param node - the query; where its model has no {@link QueryModel.keys} its filter is as it is
 * @throws {@link QueryError} for a condition on a part of a key that the keys cannot answer
 *
 * @example
 * ```ts
 * // of keys `${state};${city}`: query.where({ state: 'WA', city: 'Seattle' })
 * loweredFilter(node) // PartitionKey eq 'WA;Seattle'
 * ```
 */
export function loweredFilter(node: Pick<QueryNode, 'model' | 'filter'>): FilterNode | undefined {
  const { model, filter } = node
  if (model.keys === undefined) return filter
  if (!lowered.has(node)) lowered.set(node, loweringOf(model).lower(filter))
  return lowered.get(node)
}

function loweringOf(model: QueryModel): KeyLowering {
  let lowering = lowerings.get(model)
  if (lowering === undefined) {
    lowering = new KeyLowering(model)
    lowerings.set(model, lowering)
  }
  return lowering
}
