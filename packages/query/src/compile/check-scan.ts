import type { InputError } from '@rowkey/odata'
import { queryInputError } from '../errors/codes.ts'
import { loweredFilter } from '../key/key-lowering.ts'
import type { QueryNode } from '../node/query-node.ts'
import { allowsPlan, type PlanClass, planClassOf } from '../plan/filter-plan.ts'
import { compileQuery } from './compile-query.ts'

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
