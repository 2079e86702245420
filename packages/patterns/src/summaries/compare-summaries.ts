import type { EntityModel, KeptTable } from '@rowkey/mapper'
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

type Rows = ReadonlyMap<string, RawEntity>

/** A group to repair. */
export interface WrongGroup {
  readonly rule: SummaryRule
  readonly partitionKey: string
  readonly group: string
  readonly rows: Rows
  readonly expected: Summary
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
  const stored = await storedGroups(compared, partitionKey, options)
  const { counted, unreadable } = await countPartition(compared, partitionKey, options)
  const groups = new Map<string, Pick<WrongGroup, 'rule'>>([...stored, ...counted])
  const wrong = Array.from(groups, ([group, { rule }]) => {
    const rows = stored.get(group)?.rows ?? new Map()
    const expected = counted.get(group)?.expected ?? rule.read(undefined)
    return wrongGroup({ rule, partitionKey, group, rows, expected })
  })
  return {
    wrong: wrong.filter((each) => each !== undefined),
    unreadable,
    async changed() {
      const now = await storedGroups(compared, partitionKey, options)
      const all = new Set([...stored.keys(), ...now.keys()])
      return new Set(
        [...all].filter((each) => etagsOf(stored.get(each)) !== etagsOf(now.get(each))),
      )
    },
  }
}

/** Tells the versions of the rows of a group from all others. */
function etagsOf({ rows }: Pick<StoredGroup, 'rows'> = { rows: new Map() }): string {
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
  const { entities } = await firstRows(service, { ...query, ...filter }, options)
  return entities.length === 0
}

/** A group as it is stored. */
interface StoredGroup {
  readonly rule: SummaryRule
  readonly rows: Map<string, RawEntity>
}

/** Reads the groups of all summaries. Each has keys of its own, as summaries have other beginnings. */
async function storedGroups(
  { table, rules }: ComparedTable,
  partitionKey: string,
  options: CallOptions,
): Promise<ReadonlyMap<string, StoredGroup>> {
  const groups = new Map<string, StoredGroup>()
  for (const rule of rules.values()) {
    for await (const raw of scanRows(table, rule.rowsIn(partitionKey), options)) {
      const { rowKey } = keyOfRaw(raw)
      const id = rule.groupIn(rowKey)
      const group = groups.get(id) ?? { rule, rows: new Map() }
      group.rows.set(rowKey, raw)
      groups.set(id, group)
    }
  }
  return groups
}

/** What follows from the entities. */
interface CountedPartition {
  readonly counted: ReadonlyMap<string, Pick<WrongGroup, 'rule' | 'expected'>>
  readonly unreadable: readonly UnreadableInSummary[]
}

async function countPartition(
  { table, rules }: ComparedTable,
  partitionKey: string,
  options: CallOptions,
): Promise<CountedPartition> {
  const counted = new Map<string, Pick<WrongGroup, 'rule' | 'expected'>>()
  const unreadable: UnreadableInSummary[] = []
  // Entities that have expired or are deleted softly count, because they are stored.
  const filter = entityFilter(table.model, inPartition(partitionKey))
  for await (const raw of scanRows(table, filter, options)) {
    for (const rule of rules.values()) {
      const by = readable(keyOfRaw(raw), () => rule.contributionOf(raw))
      if (by instanceof Unreadable) unreadable.push({ summary: rule.name, ...by.finding })
      else if (by !== undefined) {
        const before = counted.get(by.group)?.expected ?? rule.read(undefined)
        counted.set(by.group, { rule, expected: added(before, by, 1) })
      }
    }
  }
  return { counted, unreadable }
}

/** Compares one group; `undefined` when it is right. */
function wrongGroup(given: Omit<WrongGroup, 'finding'>): WrongGroup | undefined {
  const { rule, partitionKey, group, rows, expected } = given
  const stale = { summary: rule.name, kind: 'stale', rowKey: group, expected } as const
  // A row of another model ends the comparison: it must not be changed.
  if (![...rows.values()].every((raw) => rule.isOwn(raw))) {
    return { ...given, finding: { ...stale, stored: undefined, repaired: false } }
  }
  for (const [rowKey, raw] of rows) {
    const values = readable({ partitionKey, rowKey }, () => rule.read(raw))
    if (values instanceof Unreadable) {
      return { ...given, finding: { summary: rule.name, ...values.finding } }
    }
  }
  const stored = rule.total(rows.values())
  const isLeftOver = rule.spread === 1 && rows.size > 0 && expected.count === 0
  if (!isLeftOver && agree(stored, expected)) return undefined
  return { ...given, finding: { ...stale, stored, repaired: false } }
}

/**
 * Makes the writes that repair a group. They depend on all of its rows, also on those that are missing, so that no write in between is
 * counted twice.
 *
 * @param table - the name of the table
 */
export function repairOf(
  { rule, partitionKey, group, rows, expected }: WrongGroup,
  table: string,
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
