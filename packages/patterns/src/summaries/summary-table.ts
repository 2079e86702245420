import type { KeptTable } from '@rowkey/mapper'
import { and, type FilterNode, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { etagOf, findStored, type StoredRow } from '../indexes/entry-reader.ts'
import { type ModelTable, partitionEntities } from '../rows/partition-entities.ts'
import { beginningFilter, beginningOf, inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { writeRows } from '../rows/write-rows.ts'
import { added, agree, type SummaryRule } from './summary.ts'
import type { Summary } from './summary-definition.ts'
import { summaryChange } from './summary-keeper.ts'

/** A row of a summary, from {@link SummaryTable.query}. */
export interface SummaryGroup<Entity extends object> {
  /** The properties that it is grouped by. */
  readonly group: Partial<Entity>
  /** Its values. */
  readonly summary: Summary
}

/** A summary row that does not agree with the entities. */
export interface SummaryFinding {
  /** The name of the summary. */
  readonly summary: string
  /** The RowKey of its row. */
  readonly rowKey: string
  /** What was stored. */
  readonly stored: Summary
  /** What follows from the entities. */
  readonly expected: Summary
}

/** What a {@link SummaryTable} is made from. */
export interface SummaryTableParts extends ModelTable {
  readonly rules: ReadonlyMap<string, SummaryRule>
}

/** A wrong row, and what it is compared by. */
interface WrongRow {
  readonly rule: SummaryRule
  readonly finding: SummaryFinding
  readonly found: StoredRow | undefined
}

/** How often a partition is compared, when programs change its summaries meanwhile. */
const MAX_LOOKS = 10

/** The summaries of one table, from {@link Summaries.on}. */
export class SummaryTable<Entity extends object, Name extends string> {
  readonly #parts: SummaryTableParts
  readonly #table: KeptTable

  /** @internal */
  constructor(parts: SummaryTableParts) {
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
    checkOptions(options, CALL_OPTIONS, `get of summary ${summary}`)
    const rule = this.#named(summary)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const rowKey = rule.definition.rowKey.print(values)
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
    checkOptions(options, CALL_OPTIONS, `query of summary ${summary}`)
    const rule = this.#named(summary)
    const rows = this.#rowsOf(rule, this.#parts.model.partitionKey.print(partition))
    for await (const raw of scanRows(this.#table, rows, options)) {
      const group = rule.definition.rowKey.parse(keyOfRaw(raw).rowKey)
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
    for (let look = 1; ; look++) {
      const wrong = await this.#compare(partition, options)
      // A row that changed since was right before, or is right now.
      const same = await Promise.all(
        wrong.map((each) => this.#isUnchanged(each, partition, options)),
      )
      if (same.every((each) => each) || look === MAX_LOOKS) {
        return wrong.filter((_, at) => same[at]).map(({ finding }) => finding)
      }
    }
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
      const wrong = await this.#compare(partition, within)
      const partitionKey = this.#parts.model.partitionKey.print(partition)
      const changes = wrong.map(({ rule, finding: { rowKey, expected }, found: stored }) =>
        summaryChange(
          { table: this.#table.name, rule, key: { partitionKey, rowKey }, stored },
          expected,
        ),
      )
      await writeRows(this.#table, changes, within)
      return wrong.map(({ finding }) => finding)
    }
    return retryConflicts(this.#table.service, attempt, options)
  }

  async #isUnchanged(
    { finding, found }: WrongRow,
    partition: object,
    options: CallOptions,
  ): Promise<boolean> {
    const partitionKey = this.#parts.model.partitionKey.print(partition)
    const now = await findStored(this.#table, { partitionKey, rowKey: finding.rowKey }, options)
    return now?.etag === found?.etag
  }

  /** First the summaries, then the entities: a summary with the same ETag afterwards was compared with all of its writes. */
  async #compare(partition: object, options: CallOptions): Promise<readonly WrongRow[]> {
    const partitionKey = this.#parts.model.partitionKey.print(partition)
    const rules = [...this.#parts.rules.values()]
    const stored = new Map<SummaryRule, Map<string, StoredRow>>()
    for (const rule of rules) {
      const rows = scanRows(this.#table, this.#rowsOf(rule, partitionKey), options)
      stored.set(rule, await byRowKey(rows))
    }
    const expected = await this.#count(partition, options)
    return rules.flatMap((rule) => {
      const [are, should] = [stored.get(rule) ?? new Map(), expected.get(rule) ?? new Map()]
      const rowKeys = new Set<string>([...are.keys(), ...should.keys()])
      return Array.from(rowKeys, (rowKey): WrongRow => {
        const found: StoredRow | undefined = are.get(rowKey)
        const finding = {
          summary: rule.name,
          rowKey,
          stored: rule.read(found?.raw),
          expected: should.get(rowKey) ?? rule.read(undefined),
        }
        return { rule, finding, found }
      }).filter(({ finding, found }) => {
        const isEmpty = found !== undefined && finding.expected.count === 0
        return isEmpty || !agree(finding.stored, finding.expected)
      })
    })
  }

  async #count(
    partition: object,
    options: CallOptions,
  ): Promise<ReadonlyMap<SummaryRule, Map<string, Summary>>> {
    const { rules } = this.#parts
    const sums = new Map(Array.from(rules.values(), (rule) => [rule, new Map<string, Summary>()]))
    for await (const entity of partitionEntities(this.#parts, partition, options)) {
      for (const [rule, groups] of sums) {
        const by = rule.contributionOf(entity)
        if (by === undefined) continue
        groups.set(by.rowKey, added(groups.get(by.rowKey) ?? rule.read(undefined), by, 1))
      }
    }
    return sums
  }

  #rowsOf({ definition }: SummaryRule, partitionKey: string): FilterNode {
    return and(inPartition(partitionKey), beginningFilter(beginningOf(definition.rowKey)))
  }

  #named(name: string): SummaryRule {
    const rule = this.#parts.rules.get(name)
    if (rule !== undefined) return rule
    throw patternsInputError({
      code: 'InvalidPatternOption',
      message: `${this.#parts.model.title} has no summary ${JSON.stringify(name)}. It has: ${[...this.#parts.rules.keys()].join(', ')}.`,
    })
  }
}

async function byRowKey(rows: AsyncIterable<RawEntity>): Promise<Map<string, StoredRow>> {
  const found = new Map<string, StoredRow>()
  for await (const raw of rows) found.set(keyOfRaw(raw).rowKey, { raw, etag: etagOf(raw) })
  return found
}
