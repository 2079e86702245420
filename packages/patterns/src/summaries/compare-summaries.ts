import { and, type EntityKey, type FilterNode, keyOfRaw } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import type { ModelTable } from '../rows/model-table.ts'
import { partitionRows, readable, Unreadable, type UnreadableRow } from '../rows/partition-rows.ts'
import { beginningFilter, inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { etagOf, type StoredRow } from '../rows/stored-row.ts'
import { added, agree, type SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'

/** A summary row that does not agree with the entities. */
export interface StaleSummary {
  /** The name of the summary. */
  readonly summary: string
  /** The row has other values than the entities. */
  readonly kind: 'stale'
  /** The RowKey of its row. */
  readonly rowKey: string
  /** The stored values. */
  readonly stored: Summary
  /** What follows from the entities. */
  readonly expected: Summary
  /** Whether the row was repaired. */
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
export interface ComparedTable extends ModelTable {
  readonly rules: ReadonlyMap<string, SummaryRule>
}

/** A row to repair. */
export interface WrongRow {
  readonly rule: SummaryRule
  readonly key: EntityKey
  readonly stored: StoredRow | undefined
  readonly expected: Summary
  readonly finding: SummaryFinding
}

/** The result of a comparison. */
interface Comparison {
  readonly wrong: readonly WrongRow[]
  /** The entities that cannot be compared. */
  readonly unreadable: readonly UnreadableInSummary[]
}

/**
 * Compares the summaries of a partition with its entities. It reads first the summaries, then the entities: a summary with
 * the same ETag afterwards was compared with all of its writes.
 */
export async function compareSummaries(
  table: ComparedTable,
  partition: object,
  options: CallOptions,
): Promise<Comparison> {
  const partitionKey = table.model.partitionKey.print(partition)
  const stored = new Map<SummaryRule, ReadonlyMap<string, StoredRow>>()
  for (const rule of table.rules.values()) {
    stored.set(rule, await storedSummaries(table, rule, partitionKey, options))
  }
  const { counted, unreadable } = await countPartition(table, partition, options)
  const wrong = Array.from(stored, ([rule, rows]) => {
    const groups = counted.get(rule) ?? new Map<string, Summary>()
    const rowKeys = new Set([...rows.keys(), ...groups.keys()])
    return Array.from(rowKeys, (rowKey) => {
      const expected = groups.get(rowKey) ?? rule.read(undefined)
      return wrongRow({ rule, key: { partitionKey, rowKey }, stored: rows.get(rowKey), expected })
    })
  })
  return { wrong: wrong.flat().filter((each) => each !== undefined), unreadable }
}

/** Returns the condition on the rows of a summary. */
export function rowsOf({ groups }: SummaryRule, partitionKey: string): FilterNode {
  return and(inPartition(partitionKey), beginningFilter(groups.beginning))
}

async function storedSummaries(
  { account, name }: ComparedTable,
  rule: SummaryRule,
  partitionKey: string,
  options: CallOptions,
): Promise<ReadonlyMap<string, StoredRow>> {
  const found = new Map<string, StoredRow>()
  const table = { service: account.service, name }
  for await (const raw of scanRows(table, rowsOf(rule, partitionKey), options)) {
    found.set(keyOfRaw(raw).rowKey, { raw, etag: etagOf(raw) })
  }
  return found
}

/** What follows from the entities. */
interface CountedPartition {
  readonly counted: ReadonlyMap<SummaryRule, ReadonlyMap<string, Summary>>
  readonly unreadable: readonly UnreadableInSummary[]
}

async function countPartition(
  table: ComparedTable,
  partition: object,
  options: CallOptions,
): Promise<CountedPartition> {
  const all = Array.from(
    table.rules.values(),
    (rule) => [rule, new Map<string, Summary>()] as const,
  )
  const unreadable: UnreadableInSummary[] = []
  for await (const { key, entity } of partitionRows(table, partition, options)) {
    for (const [rule, groups] of all) {
      const by =
        entity instanceof Unreadable ? entity : readable(key, () => rule.contributionOf(entity))
      if (by instanceof Unreadable) unreadable.push({ summary: rule.groups.name, ...by.finding })
      else if (by !== undefined) {
        groups.set(by.rowKey, added(groups.get(by.rowKey) ?? rule.read(undefined), by, 1))
      }
    }
  }
  return { counted: new Map(all), unreadable }
}

/** Compares one row; `undefined` when it is right. */
function wrongRow(row: Omit<WrongRow, 'finding'>): WrongRow | undefined {
  const { rule, key, stored, expected } = row
  const summary = rule.groups.name
  const values = readable(key, () => rule.read(stored?.raw))
  if (values instanceof Unreadable) return { ...row, finding: { summary, ...values.finding } }
  const isEmpty = stored !== undefined && expected.count === 0
  if (!isEmpty && agree(values, expected)) return undefined
  const { rowKey } = key
  const finding = { summary, kind: 'stale', rowKey, stored: values, expected } as const
  return { ...row, finding: { ...finding, repaired: false } }
}
