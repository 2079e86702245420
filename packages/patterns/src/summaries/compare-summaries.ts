import { atPrimary, type EntityModel, type KeptTable } from '@rowkey/mapper'
import { keyOfRaw, printFilter, type RawEntity } from '@rowkey/odata'
import { type CallOptions, type Change, ETagMismatchError } from '@rowkey/rest'
import { removing } from '../rows/changes.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { entityFilter, inPartition } from '../rows/row-filter.ts'
import { firstRows, scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { readable, Unreadable, type UnreadableRow } from '../rows/unreadable.ts'
import type { KeptIndexes } from '../upkeep/catalogue-steps.ts'
import { added, agree, type SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'
import { summaryChange } from './summary-keeper.ts'

/** A group of a summary that does not agree with the entities. */
export interface StaleSummary {
  /** The name of the summary. */
  readonly summary: string
  /** The rows have other values than the entities, or another declaration stored them. */
  readonly kind: 'stale'
  /** The key of the group: the RowKey of its row, without the number of a spread one. */
  readonly rowKey: string
  /** The stored values; absent when another declaration stored them. */
  readonly stored: Summary | undefined
  /** What follows from the entities. */
  readonly expected: Summary
  /** Whether the group was repaired. */
  readonly repaired: boolean
}

/** A row that cannot be compared with a summary. An entity counts nowhere until it is mended. */
export interface UnreadableInSummary extends UnreadableRow {
  /** The name of the summary. */
  readonly summary: string
}

/** A difference between the summaries of a partition and its entities. */
export type SummaryFinding = StaleSummary | UnreadableInSummary

/** The summaries of a table. */
export interface ComparedTable extends KeptIndexes<SummaryRule> {
  readonly table: ModelTable
  readonly rules: ReadonlyMap<string, SummaryRule>
}

/** A group of a summary in one partition. */
interface ComparedGroup {
  readonly rule: SummaryRule
  /** The key of the group. */
  readonly group: string
  /** Its rows as they are stored, by RowKey. */
  readonly rows: Map<string, RawEntity>
  /** What follows from the entities. */
  expected: Summary
}

/** A group to repair. */
export interface WrongGroup extends Readonly<ComparedGroup> {
  readonly finding: SummaryFinding
}

/** The result of a comparison. */
interface Comparison {
  readonly wrong: readonly WrongGroup[]
  /** The entities that cannot be compared. */
  readonly unreadable: readonly UnreadableInSummary[]
  /** Reads the summaries again, and returns the groups that changed since: what was found of them may be right no more. */
  changed(): Promise<ReadonlySet<string>>
}

/**
 * Compares the summaries of a partition with its entities. It reads first the summaries, then the entities: a group with the
 * same rows afterwards was compared with all of its writes.
 */
export async function compareSummaries(
  compared: ComparedTable,
  partitionKey: string,
  options: CallOptions,
): Promise<Comparison> {
  const groups = await storedGroups(compared, partitionKey, options)
  // Entities that have expired or are deleted softly count, because they are stored.
  const filter = entityFilter(compared.table.model, inPartition(partitionKey))
  const unreadable: UnreadableInSummary[] = []
  for await (const raw of scanRows(compared.table, filter, options)) {
    for (const rule of compared.rules.values()) {
      const by = readable(keyOfRaw(raw), () => rule.contributionOf(raw))
      if (by instanceof Unreadable) unreadable.push({ summary: rule.name, ...by.finding })
      else if (by !== undefined) {
        const group = groupIn(groups, rule, by.group)
        group.expected = added(group.expected, by, 1)
      }
    }
  }
  return {
    wrong: Array.from(groups.values(), wrongGroup).filter((each) => each !== undefined),
    unreadable,
    async changed() {
      const now = await storedGroups(compared, partitionKey, options)
      const all = new Set([...groups.keys(), ...now.keys()])
      return new Set(
        [...all].filter((each) => etagsOf(groups.get(each)) !== etagsOf(now.get(each))),
      )
    },
  }
}

/** Tells the versions of the rows of a group from all others. */
function etagsOf({ rows }: Pick<ComparedGroup, 'rows'> = { rows: new Map() }): string {
  return Array.from(rows, ([rowKey, raw]) => `${rowKey} ${etagOf(raw)}`).join()
}

export function changing({ table: { name, model } }: ComparedTable): Error {
  return new ETagMismatchError({
    message: `Writers changed the summaries of ${model.title} in table ${name} while their partition was compared. Rebuild them again later.`,
    status: 412,
    code: 'PartitionChanging',
    requestId: undefined,
    operation: 'queryEntities',
    mayHaveApplied: false,
  })
}

/** Tells whether a table has no entity of a model. */
export async function isEmpty(
  model: EntityModel<object, object, object>,
  { service, name: table }: KeptTable,
  options: CallOptions,
): Promise<boolean> {
  const rows = entityFilter(model)
  const query = { table, select: ['PartitionKey', 'RowKey'], top: 1 }
  const filter = rows && { filter: printFilter(rows) }
  const { entities } = await firstRows(service, { ...query, ...filter }, atPrimary(options))
  return entities.length === 0
}

/** Reads the groups of all summaries as they are stored. Each has keys of its own, as summaries have other beginnings. */
async function storedGroups(
  { table, rules }: ComparedTable,
  partitionKey: string,
  options: CallOptions,
): Promise<Map<string, ComparedGroup>> {
  const groups = new Map<string, ComparedGroup>()
  for (const rule of rules.values()) {
    for await (const raw of scanRows(table, rule.rowsIn(partitionKey), options)) {
      const { rowKey } = keyOfRaw(raw)
      groupIn(groups, rule, rule.groupIn(rowKey)).rows.set(rowKey, raw)
    }
  }
  return groups
}

/** Returns a group, which has no rows and no entities the first time. */
function groupIn(
  groups: Map<string, ComparedGroup>,
  rule: SummaryRule,
  group: string,
): ComparedGroup {
  const known = groups.get(group) ?? {
    rule,
    group,
    rows: new Map(),
    expected: rule.read(undefined),
  }
  groups.set(group, known)
  return known
}

/** Compares one group; `undefined` when it is right. */
function wrongGroup(compared: ComparedGroup): WrongGroup | undefined {
  const { rule, group, rows, expected } = compared
  const stale = { summary: rule.name, kind: 'stale', rowKey: group, expected } as const
  // A row of another model ends the comparison: it must not be changed.
  if (![...rows.values()].every((raw) => rule.isOwn(raw))) {
    return { ...compared, finding: { ...stale, stored: undefined, repaired: false } }
  }
  for (const raw of rows.values()) {
    const values = readable(keyOfRaw(raw), () => rule.read(raw))
    if (values instanceof Unreadable) {
      return { ...compared, finding: { summary: rule.name, ...values.finding } }
    }
  }
  const stored = rule.total(rows.values())
  const isLeftOver = rule.spread === 1 && rows.size > 0 && expected.count === 0
  if (!isLeftOver && agree(stored, expected)) return undefined
  return { ...compared, finding: { ...stale, stored, repaired: false } }
}

/**
 * Makes the writes that repair a group. They depend on all of its rows, also on those that are missing, so that no write in between is
 * counted twice.
 *
 * @param wrong - the group
 * @param table - the name of the table
 * @param partitionKey - the partition that was compared
 */
export function repairOf(
  { rule, group, rows, expected }: WrongGroup,
  table: string,
  partitionKey: string,
): readonly Change[] {
  const numbers = expected.count === 0 ? [] : Array.from({ length: rule.spread }, (_, at) => at)
  const wanted = new Map(numbers.map((at) => [rule.rowKeyOf(group, at), at]))
  const written = Array.from(wanted, ([rowKey, at]) => {
    const place = { table, rule, key: { partitionKey, rowKey }, stored: rows.get(rowKey) }
    return summaryChange(place, at === 0 ? expected : rule.read(undefined))
  })
  const left = [...rows].filter(([rowKey]) => !wanted.has(rowKey))
  const cleared = left.map(([, raw]) => removing(table, keyOfRaw(raw), etagOf(raw)))
  return [...written, ...cleared]
}
