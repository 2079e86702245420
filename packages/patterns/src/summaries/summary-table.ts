import type { KeptTable } from '@rowkey/mapper'
import { keyOfRaw } from '@rowkey/odata'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { CALL_OPTIONS, checkEntity } from '../errors/check-arguments.ts'
import { namedIn } from '../groups/entity-groups.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import { writeRows } from '../rows/write-rows.ts'
import {
  type ComparedTable,
  compareSummaries,
  rowsOf,
  type SummaryFinding,
  type WrongRow,
} from './compare-summaries.ts'
import type { SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'
import { summaryChange } from './summary-keeper.ts'

/** A row of a summary, from {@link SummaryTable.query}. */
export interface SummaryGroup<Entity extends object> {
  /** The properties that it is grouped by. */
  readonly group: Partial<Entity>
  /** Its values. */
  readonly summary: Summary
}

/** How often a partition is compared, when programs change its summaries meanwhile. */
const MAX_LOOKS = 10

/** The summaries of one table, from {@link Summaries.on}. */
export class SummaryTable<Entity extends object, Name extends string> {
  readonly #parts: ComparedTable
  readonly #table: KeptTable

  /** @internal */
  constructor(parts: ComparedTable) {
    this.#parts = parts
    this.#table = { service: parts.account.service, name: parts.name }
  }

  /**
   * Reads one row of a summary by one point read. A group without entities has a count of 0.
   *
   * @param summary - the name of the summary
   * @param values - the properties of the PartitionKey, and those that it is grouped by
   */
  async get(summary: Name, values: object, options: CallOptions = {}): Promise<Summary> {
    checkOptions(options, CALL_OPTIONS, `get of summary ${String(summary)}`)
    const rule = this.#named(summary, values)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const rowKey = rule.groups.template.print(values)
    const stored = await findStored(this.#table, { partitionKey, rowKey }, options)
    return rule.read(stored?.raw)
  }

  /**
   * Reads all rows of a summary in a partition, in the order of their RowKeys: one request for each 1,000 groups.
   *
   * @param summary - the name of the summary
   * @param partition - the properties of the PartitionKey
   */
  async *query(
    summary: Name,
    partition: object,
    options: CallOptions = {},
  ): AsyncGenerator<SummaryGroup<Entity>, void, undefined> {
    checkOptions(options, CALL_OPTIONS, `query of summary ${String(summary)}`)
    const rule = this.#named(summary, partition)
    const rows = rowsOf(rule, this.#parts.model.partitionKey.print(partition))
    for await (const raw of scanRows(this.#table, rows, options)) {
      const group = rule.groups.template.parse(keyOfRaw(raw).rowKey)
      yield { group: group as Partial<Entity>, summary: rule.read(raw) }
    }
  }

  /**
   * Compares the summaries of a partition with its entities, and changes nothing. It reads the whole partition. Writers may go
   * on meanwhile.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the rows that are wrong
   */
  async verify(partition: object, options: CallOptions = {}): Promise<readonly SummaryFinding[]> {
    checkOptions(options, CALL_OPTIONS, 'verify of summaries')
    return this.#table.service.pendingCalls.runSeries(options, async (call) => {
      for (let look = 1; ; look++) {
        const { wrong, unreadable } = await compareSummaries(this.#parts, partition, call)
        // A row that changed since was right before, or is right now.
        const same = await Promise.all(wrong.map((each) => this.#isUnchanged(each, call)))
        if (same.every((each) => each) || look === MAX_LOOKS) {
          const findings = wrong.filter((_, at) => same[at]).map(({ finding }) => finding)
          return [...findings, ...unreadable]
        }
      }
    })
  }

  /**
   * Works as {@link SummaryTable.verify}, and mends what it finds. Run it once for each partition of a table that had rows
   * before the summaries were declared, and after programs without the declaration wrote the table.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the rows that were wrong
   * @throws BatchError when writers changed the summaries in each of 10 attempts; run it again
   */
  async rebuild(partition: object, options: CallOptions = {}): Promise<readonly SummaryFinding[]> {
    checkOptions(options, CALL_OPTIONS, 'rebuild of summaries')
    const attempt = async (within: CallOptions) => {
      const { wrong, unreadable } = await compareSummaries(this.#parts, partition, within)
      const table = this.#table.name
      const mended = wrong.filter(isMended)
      const changes = mended.map(({ rule, key, stored, expected }) =>
        summaryChange({ table, rule, key, stored }, expected),
      )
      await writeRows(this.#table, changes, within)
      const findings = wrong.map((each) => ({ ...each.finding, repaired: isMended(each) }))
      return [...findings, ...unreadable]
    }
    return retryConflicts(this.#table.service, attempt, options)
  }

  async #isUnchanged({ key, stored }: WrongRow, options: CallOptions): Promise<boolean> {
    const now = await findStored(this.#table, key, options)
    return now?.etag === stored?.etag
  }

  #named(name: string, values: object): SummaryRule {
    const { model, rules } = this.#parts
    const rule = namedIn(rules, name, { title: model.title, kind: 'summary' })
    checkEntity(values, `The values for summary ${name} of ${model.title}`)
    return rule
  }
}

/** A row that cannot be read is never deleted. */
function isMended({ finding, expected }: WrongRow): boolean {
  return finding.kind === 'stale' || expected.count > 0
}
