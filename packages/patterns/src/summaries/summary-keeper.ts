import type { EntityModel, KeptCall, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Change } from '@rowkey/rest'
import type { IndexState } from '../catalogue/catalogue-rows.ts'
import { cataloguedKeeper } from '../catalogue/catalogued-keeper.ts'
import { type IndexCatalogue, uncatalogued } from '../catalogue/index-catalogue.ts'
import { keeping, removing } from '../rows/changes.ts'
import { checkBeginnings } from '../rows/check-beginnings.ts'
import { hashOf } from '../rows/hash-of.ts'
import { planAgain } from '../rows/kept-rows.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { keptBefore } from '../rows/unreadable.ts'
import { added, type Contribution, isSame, type SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'

/** What some writes add to one group, and take off. */
interface GroupDelta {
  readonly rule: SummaryRule
  readonly partitionKey: string
  readonly group: string
  /** The RowKey of the first entity that changes it. */
  readonly first: string
  readonly changes: { readonly by: Contribution; readonly times: 1 | -1 }[]
}

/**
 * Updates the summaries in the transaction of the write that changes them.
 *
 * @param model - the model whose rows are counted
 * @param rules - its summaries
 * @param catalogue - their states
 * @param attempts - how often a write is planned at most, when other programs change its summaries
 * @throws ModelError when the keys of summaries are not told apart from others
 */
export function summaryKeeper(
  model: EntityModel<object, object, object>,
  rules: readonly SummaryRule[],
  catalogue: IndexCatalogue<SummaryRule>,
  attempts: number | undefined,
): RowKeeper {
  const own = new Map(rules.map(({ name, beginning }) => [`summary ${name}`, beginning]))
  checkBeginnings(model, own, uncatalogued(model))
  const keeper = cataloguedKeeper(model, rules, catalogue, async (states, transitions, call) => {
    const deltas = rules.flatMap((rule) => deltasOf(rule, transitions))
    const changes = deltas.map((delta) => changeOf(delta, states.get(delta.rule), call))
    return {
      attempts,
      companions: await Promise.all(changes),
      keptFor: (index) => deltas[index]?.rule.title ?? '',
      // Another program changed the summary first, so it is read again.
      rejected: planAgain,
    }
  })
  return { ...keeper, isShared: rules.some(({ spread }) => spread === 1) }
}

/**
 * Returns what writes change in a summary: one delta for each group. A group whose additions cancel out is written, too, so that
 * its ETag shows a rebuild that something happened.
 */
function deltasOf(rule: SummaryRule, transitions: readonly RowTransition[]): readonly GroupDelta[] {
  const deltas = new Map<string, GroupDelta>()
  const note = (
    { partitionKey, rowKey: first }: EntityKey,
    by: Contribution | undefined,
    times: 1 | -1,
  ): void => {
    if (by === undefined) return
    const { group } = by
    const delta = deltas.get(group) ?? { rule, partitionKey, group, first, changes: [] }
    delta.changes.push({ by, times })
    deltas.set(group, delta)
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
  { rule, partitionKey, group, first, changes }: GroupDelta,
  state: IndexState | undefined,
  { table, attempt, options }: KeptCall,
): Promise<Change> {
  // When the model has the summary twice, both change the same row.
  const at = hashOf(`${first} ${attempt}`) % rule.spread
  const key = { partitionKey, rowKey: rule.rowKeyOf(group, at) }
  const stored = await findStored(table, key, options)
  // A row of an earlier declaration says nothing; what is stored over it is counted anew before anyone reads it.
  const isNew = state !== 'readable' && stored !== undefined && !rule.isOwn(stored)
  const before = rule.read(isNew ? undefined : stored)
  const summary = changes.reduce((sum, { by, times }) => added(sum, by, times), before)
  return summaryChange({ table: table.name, rule, key, stored }, summary)
}

/** Where a row of a summary is stored. */
interface SummaryPlace {
  /** The name of the table. */
  readonly table: string
  readonly rule: SummaryRule
  readonly key: EntityKey
  /** The row as it is stored now. */
  readonly stored: RawEntity | undefined
}

/** Makes the conditional write of one row. A row that says nothing is deleted. */
export function summaryChange(
  { table, rule, key, stored }: SummaryPlace,
  summary: Summary,
): Change {
  if (stored !== undefined && rule.isEmpty(summary)) return removing(table, key, etagOf(stored))
  return keeping({ table, key, body: rule.write(key, summary) }, stored && etagOf(stored))
}
