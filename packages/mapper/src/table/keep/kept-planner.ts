import { mergeEntity } from '@rowkey/rest'
import type { BoundChange, WritePlanner } from '../write/bound-change.ts'
import type { PlannedTable } from './keeping.ts'
import type { PartitionTurns } from './partition-turns.ts'
import { planAll } from './plan-all.ts'
import type { RowKeeper, RowTransition } from './row-keeper.ts'

/**
 * Plans what the keepers of a table store with its writes.
 *
 * @param written - the table
 * @param keepers - plan what is stored with each write
 * @param turns - of the writes of the model
 */
export function keptPlanner(
  written: PlannedTable,
  keepers: readonly RowKeeper[],
  turns: PartitionTurns,
): WritePlanner {
  const { service, name, opener: account, origin } = written
  const table = { service, name }
  return {
    touches: (names) => keepers.some((each) => each.touches(names, table)),
    async plan(changes, call) {
      const transitions = changes.flatMap((change) => transitionOf(change) ?? [])
      if (transitions.length === 0) return undefined
      return planAll(keepers, transitions, { table, account, written: transitions, ...call })
    },
    ...(keepers.some(({ isShared }) => isShared) && {
      inTurn: (partitionKey, write, call) => {
        const partition = `${origin.account} ${name} ${partitionKey}`
        return turns.run({ service, partition, options: call.options }, write)
      },
    }),
  }
}

/** What a change does to its row; `undefined` when that matters to no keeper, or the change cannot succeed. */
function transitionOf({ change, start }: BoundChange): RowTransition | undefined {
  if (start === undefined) return undefined
  const { operation, input, row } = change
  const after = row && operation === mergeEntity ? (start.row?.merge(row) ?? row) : row
  return { key: input.key, before: start.row?.raw, after: after?.raw }
}
