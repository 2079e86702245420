import { parseEntityObject } from '@rowkey/odata'
import { mergeEntity } from '@rowkey/rest'
import { afterMerge } from '../../snapshot/after-write.ts'
import type { BoundChange, BoundTable, WritePlanner } from '../write/bound-change.ts'
import { BoundSender } from '../write/bound-sender.ts'
import type { WriteSender } from '../write/entity-change.ts'
import type { PartitionTurns } from './partition-turns.ts'
import { planAll } from './plan-all.ts'
import type { RowKeeper, RowTransition } from './row-keeper.ts'

/**
 * Makes what sends the writes of a table together with what its keepers store.
 *
 * @param writes - the table, and what sends its writes
 * @param keepers - plan what is stored with each write
 * @param turns - of the writes of the model
 */
export function keptSender(
  writes: BoundTable,
  keepers: readonly RowKeeper[],
  turns: PartitionTurns,
): WriteSender {
  const { service, name, opener: account, origin } = writes
  const table = { service, name }
  const planner: WritePlanner = {
    touches: (names) => keepers.some((each) => each.touches(names, table)),
    async plan(changes, call) {
      const transitions = changes.flatMap((change) => transitionOf(change) ?? [])
      if (transitions.length === 0) return undefined
      return planAll(keepers, transitions, { table, account, ...call })
    },
    ...(keepers.some(({ isShared }) => isShared) && {
      inTurn: (partitionKey, write, signal) =>
        turns.run(`${origin.account} ${name} ${partitionKey}`, write, signal),
    }),
  }
  return new BoundSender({ ...writes, planner })
}

/** What a change does to its row; `undefined` when that matters to no keeper, or the change cannot succeed. */
function transitionOf({ change, start }: BoundChange): RowTransition | undefined {
  if (start === undefined) return undefined
  const { operation, input } = change
  const { key, body } = input
  const before = start.row
  if (body === '') return { key, before, after: undefined }
  const isMerge = operation === mergeEntity && before !== undefined
  return { key, before, after: isMerge ? afterMerge(before, body) : parseEntityObject(body) }
}
