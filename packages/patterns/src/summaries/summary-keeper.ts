import type { KeptCall, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Change } from '@rowkey/rest'
import type { Catalogue } from '../derived/catalogue.ts'
import type { Summary } from '../derived/compare.ts'
import { titleOf } from '../derived/definition.ts'
import { keptOf } from '../derived/keeper.ts'
import { keeping, removing } from '../rows/changes.ts'
import { planAgain } from '../rows/kept-rows.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { keptBefore } from '../rows/unreadable.ts'
import { added, type Contribution, isSame, type SummaryRule } from './summary.ts'

/** What some writes add to one group, and take off. */
interface GroupDelta {
  readonly rule: SummaryRule
  readonly key: EntityKey
  readonly changes: { readonly by: Contribution; readonly times: 1 | -1 }[]
}

/**
 * Updates the summaries in the transaction of the write that changes them.
 *
 * @param rules - the summaries of the model
 * @param catalogue - their states
 * @param attempts - how often a write is planned at most, when other programs change its summaries
 */
export function summaryKeeper(
  rules: readonly SummaryRule[],
  catalogue: Catalogue,
  attempts: number | undefined,
): RowKeeper {
  return {
    isShared: true,
    touches: (names) => rules.some((rule) => rule.touches(names)),
    async plan(transitions, call) {
      const own = keptOf(rules, catalogue, call)
      const deltas = own.flatMap((rule) => deltasOf(rule, transitions))
      const changes = deltas.map((delta) => changeOf(delta, call))
      return {
        attempts,
        companions: await Promise.all(changes),
        keptFor: (index) => (deltas[index] ? titleOf(deltas[index].rule) : ''),
        // Another program changed the summary first, so it is read again.
        rejected: planAgain,
      }
    },
  }
}

/**
 * Returns what writes change in a summary: one delta for each group. A group whose additions cancel out is written, too, so that
 * its ETag shows a repair that something happened.
 */
function deltasOf(rule: SummaryRule, transitions: readonly RowTransition[]): readonly GroupDelta[] {
  const deltas = new Map<string, GroupDelta>()
  const note = ({ partitionKey }: EntityKey, by: Contribution | undefined, times: 1 | -1): void => {
    if (by === undefined) return
    const { group: rowKey } = by
    const delta = deltas.get(rowKey) ?? { rule, key: { partitionKey, rowKey }, changes: [] }
    delta.changes.push({ by, times })
    deltas.set(rowKey, delta)
  }
  for (const { key, before, after } of transitions) {
    const was = keptBefore(before, (raw) => rule.contributionOf(raw))
    const is = after && rule.contributionOf(after)
    if (isSame(was, is)) continue
    note(key, was, -1)
    note(key, is, 1)
  }
  return [...deltas.values()]
}

async function changeOf(
  { rule, key, changes }: GroupDelta,
  { table, options }: KeptCall,
): Promise<Change> {
  const stored = await findStored(table, key, options)
  const before = rule.read(stored)
  const summary = changes.reduce((sum, { by, times }) => added(sum, by, times), before)
  return summaryChange({ table: table.name, rule, key, stored }, summary)
}

/** Where a group of a summary is stored. */
interface SummaryPlace {
  /** The name of the table. */
  readonly table: string
  readonly rule: SummaryRule
  readonly key: EntityKey
  /** The row as it is stored now. */
  readonly stored: RawEntity | undefined
}

/** Makes the conditional write of a group. A row without entities says nothing, so it is deleted: also the rest of fractions in its sums. */
export function summaryChange(
  { table, rule, key, stored }: SummaryPlace,
  summary: Summary,
): Change {
  if (stored !== undefined && summary.count === 0) return removing(table, key, etagOf(stored))
  return keeping({ table, key, body: rule.write(key, summary) }, stored && etagOf(stored))
}
