import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { EntityKey, FilterNode } from '@rowkey/odata'
import { type Change, deleteEntity, updateEntity } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { GroupRows } from '../groups/entity-groups.ts'
import { insertKept } from '../rows/insert-kept.ts'
import { findStored, type StoredRow } from '../rows/stored-row.ts'
import { added, type Contribution, isSame, type SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'

/** What some writes add to one row, and take off. */
interface RowDelta {
  readonly rule: SummaryRule
  readonly key: EntityKey
  readonly changes: { readonly by: Contribution; readonly times: 1 | -1 }[]
}

/** Updates the summaries in the transaction of the write that changes them. */
export class SummaryKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly isShared = true
  readonly #rules: readonly SummaryRule[]
  readonly #kept: GroupRows

  /**
   * @param model - the model whose rows are counted
   * @param rules - its summaries
   * @throws ModelError when the keys of summaries are not told apart from others
   */
  constructor(model: EntityModel<object, object, object>, rules: readonly SummaryRule[]) {
    const groups = rules.map((rule) => rule.groups)
    this.#rules = rules
    this.#kept = new GroupRows(model, groups)
    this.rows = this.#kept.others
  }

  touches(names: ReadonlySet<string>): boolean {
    return this.#rules.some(({ groups: { template }, definition: { sums = [], where } }) => {
      const used: readonly string[] = [...template.properties, ...sums]
      return where !== undefined || this.#kept.hasStored(names, used)
    })
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    this.#kept.checkKeys(transitions)
    const deltas = this.#rules.flatMap((rule) => deltasOf(rule, transitions))
    return {
      companions: await Promise.all(deltas.map((delta) => changeOf(delta, call))),
      // Another program changed the summary first, so it is read again.
      rejected: async (_, error) => (isConflict(error) ? undefined : error),
    }
  }
}

/**
 * Returns what writes change in a summary: one delta for each row. A row whose additions cancel out is written, too, so that
 * its ETag shows a rebuild that something happened.
 */
function deltasOf(rule: SummaryRule, transitions: readonly RowTransition[]): readonly RowDelta[] {
  const deltas = new Map<string, RowDelta>()
  const note = (partitionKey: string, by: Contribution | undefined, times: 1 | -1): void => {
    if (by === undefined) return
    const { rowKey } = by
    const delta = deltas.get(rowKey) ?? { rule, key: { partitionKey, rowKey }, changes: [] }
    delta.changes.push({ by, times })
    deltas.set(rowKey, delta)
  }
  for (const { key, before, after } of transitions) {
    const was = before && rule.contributionOfRow(before)
    const is = after && rule.contributionOfRow(after)
    if (isSame(was, is)) continue
    note(key.partitionKey, was, -1)
    note(key.partitionKey, is, 1)
  }
  return [...deltas.values()]
}

async function changeOf(
  { rule, key, changes }: RowDelta,
  { table, options }: KeptCall,
): Promise<Change> {
  const stored = await findStored(table, key, options)
  const summary = changes.reduce(
    (sum, { by, times }) => added(sum, by, times),
    rule.read(stored?.raw),
  )
  return summaryChange({ table: table.name, rule, key, stored }, summary)
}

/** Where a summary is stored. */
interface SummaryPlace {
  /** The name of the table. */
  readonly table: string
  readonly rule: SummaryRule
  readonly key: EntityKey
  /** The row as it is stored now. */
  readonly stored: StoredRow | undefined
}

/** Makes the conditional write of one row. A row that counts nothing is deleted. */
export function summaryChange(
  { table, rule, key, stored }: SummaryPlace,
  summary: Summary,
): Change {
  const input = { table, key, body: rule.write(key, summary) }
  if (stored === undefined) return { operation: insertKept, input }
  const { etag } = stored
  if (summary.count === 0) return { operation: deleteEntity, input: { ...input, body: '', etag } }
  return { operation: updateEntity, input: { ...input, etag } }
}
