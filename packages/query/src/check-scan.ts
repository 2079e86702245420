import { compileQuery } from './compile-query.ts'
import { PartitionScanError } from './errors/partition-scan-error.ts'
import { TableScanError } from './errors/table-scan-error.ts'
import type { PlanClass } from './plan-class.ts'
import type { QueryNode } from './query-node.ts'
import { planClass } from './query-plan.ts'
import { allowsPlan } from './scan-policy.ts'

/**
 * Refuses to read more than the query has leave for.
 *
 * @throws {@link TableScanError} when the service would read the whole table, or a range of
 * partitions where those need leave
 * @throws {@link PartitionScanError} when it would read a whole partition and that needs leave
 */
export function checkScan(node: QueryNode): void {
  const plan = planClass(node)
  if (!allowsPlan(node.scans, plan)) throw scanError(node, plan)
}

function scanError(node: QueryNode, plan: PlanClass): PartitionScanError | TableScanError {
  const { name: model } = node.model
  const { filter } = compileQuery(node)
  const asked = filter === undefined ? 'It has no condition' : `Its filter is: ${filter}`
  if (plan === 'partitionScan') {
    const message =
      `The query on ${model} sets no bounds to RowKey, so the service would read the whole partition. ${asked}. ` +
      'Add a condition on RowKey that must always hold, or call .allowPartitionScan() to mean it.'
    return new PartitionScanError({ model, filter, message })
  }
  const what =
    plan === 'tableScan'
      ? 'sets no bounds to PartitionKey, so the service would read the whole table'
      : 'names no single PartitionKey, so the service would read every partition of a range'
  const message =
    `The query on ${model} ${what}. ${asked}. ` +
    'Add a condition on PartitionKey that must always hold, or call .allowTableScan() to mean it.'
  return new TableScanError({ model, filter, message })
}
