import type { KeptTable } from '@rowkey/mapper'
import { keyOfRaw } from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkEntity } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { writeRows } from '../rows/write-rows.ts'
import {
  type ComparedTable,
  compareSummaries,
  repairOf,
  type SummaryFinding,
  type WrongGroup,
} from './compare-summaries.ts'
import { added, type SummaryRule } from './summary.ts'
import type { GroupValues, Summary } from './summary-definition.ts'

/** A group of a summary, from {@link SummaryTable.query}. */
export interface SummaryGroup<Entity extends object> {
  /** The properties that it is grouped by. */
  readonly group: Partial<Entity>
  /** Its values. */
  readonly summary: Summary
}

/** How often a partition is compared, when programs change its summaries meanwhile. */
const MAX_LOOKS = 10

/** The summaries of one table, from {@link Summaries.on}. */
export class SummaryTable<Entity extends object, Key extends object, Definitions> {
  readonly #parts: ComparedTable
  readonly #table: KeptTable

  /** @internal */
  constructor(parts: ComparedTable) {
    this.#parts = parts
    this.#table = { service: parts.account.service, name: parts.name }
  }

  /**
   * Reads one group of a summary by one request. A group without entities has a count of 0.
   *
   * @param summary - the name of the summary
   * @param values - the properties of the PartitionKey, and those that it is grouped by
   * @throws InputError (`SummaryDiffers`) when another declaration stored it
   */
  async get<Name extends keyof Definitions & string>(
    summary: Name,
    values: Partial<Key> & GroupValues<Definitions[Name]>,
    options: CallOptions = {},
  ): Promise<Summary> {
    callOptions.check(options, `get of summary ${String(summary)}`)
    const rule = this.#named(summary, values)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const group = rule.template.print(values)
    const rows = await rule.readGroup(this.#table, { partitionKey, group }, options)
    return rule.total(rows.values())
  }

  /**
   * Reads all groups of a summary in a partition, in the order of their keys: one request for each 1,000 rows.
   *
   * @param summary - the name of the summary
   * @param partition - the properties of the PartitionKey
   * @throws InputError (`SummaryDiffers`) when another declaration stored a row
   */
  async *query(
    summary: keyof Definitions & string,
    partition: Partial<Key>,
    options: CallOptions = {},
  ): AsyncGenerator<SummaryGroup<Entity>, void, undefined> {
    callOptions.check(options, `query of summary ${String(summary)}`)
    const rule = this.#named(summary, partition)
    const rows = rule.rowsIn(this.#parts.model.partitionKey.print(partition))
    const shown = (key: string, all: Summary): SummaryGroup<Entity>[] =>
      all.count === 0 ? [] : [{ group: rule.template.parse(key) as Partial<Entity>, summary: all }]
    // The groups whose rows come now: a space in a group can come between the rows of another one.
    const open = new Map<string, Summary>()
    for await (const raw of scanRows(this.#table, rows, options)) {
      const { rowKey } = keyOfRaw(raw)
      const group = rule.groupIn(rowKey)
      for (const [key, all] of open) {
        if (rule.rowKeyOf(key, rule.spread - 1) >= rowKey) break
        open.delete(key)
        yield* shown(key, all)
      }
      open.set(group, added(open.get(group) ?? rule.read(undefined), rule.read(raw), 1))
    }
    for (const [key, all] of open) yield* shown(key, all)
  }

  /**
   * Compares the summaries of a partition with its entities, and changes nothing. It reads the whole partition. Writers may go
   * on meanwhile.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the groups that are wrong
   */
  async verify(
    partition: Partial<Key>,
    options: CallOptions = {},
  ): Promise<readonly SummaryFinding[]> {
    callOptions.check(options, 'verify of summaries')
    checkEntity(partition, 'The partition of verify of summaries')
    return this.#table.service.pendingCalls.runSeries(options, async (call) => {
      for (let look = 1; ; look++) {
        const { wrong, unreadable } = await compareSummaries(this.#parts, partition, call)
        // A group that changed since was right before, or is right now.
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
   * before the summaries were declared, after a changed declaration, and after programs without the declaration wrote the table.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the groups that were wrong
   * @throws BatchError when writers changed the summaries in each of 10 attempts; run it again
   * @throws DecodeError (`UnreadableVersion`) for a row of a later version of the model: a later program must rebuild
   */
  async rebuild(
    partition: Partial<Key>,
    options: ManyWritesOptions = {},
  ): Promise<readonly SummaryFinding[]> {
    manyWritesOptions.check(options, 'rebuild of summaries')
    checkEntity(partition, 'The partition of rebuild of summaries')
    const attempt = async (within: CallOptions) => {
      const { wrong, unreadable } = await compareSummaries(this.#parts, partition, within)
      const later = unreadable.find(({ error }) => error.code === 'UnreadableVersion')
      // Programs of that version count the row.
      if (later !== undefined) throw later.error
      const repairs = wrong.filter(isMended).map((each) => repairOf(each, this.#table.name))
      // The rows of a spread group are repaired together.
      await writeRows(this.#table, repairs.filter(({ length }) => length === 1).flat(), within)
      for (const repair of repairs) {
        if (repair.length > 1) await writeRows(this.#table, repair, within)
      }
      const findings = wrong.map((each) => ({ ...each.finding, repaired: isMended(each) }))
      return [...findings, ...unreadable]
    }
    return retryConflicts(this.#table.service, attempt, options)
  }

  async #isUnchanged(group: WrongGroup, options: CallOptions): Promise<boolean> {
    const now = await group.rule.readGroup(this.#table, group, options)
    const isSame = [...now].every(([rowKey, { etag }]) => group.rows.get(rowKey)?.etag === etag)
    return isSame && now.size === group.rows.size
  }

  #named(name: string, values: object): SummaryRule {
    const { model, rules } = this.#parts
    const rule = rules.get(name)
    if (rule === undefined) {
      throw patternsInputError({
        code: 'InvalidPatternOption',
        message: `${model.title} has no summary ${JSON.stringify(String(name))}. It has: ${[...rules.keys()].join(', ')}.`,
      })
    }
    checkEntity(values, `The values for summary ${name} of ${model.title}`)
    return rule
  }
}

/** A row that cannot be read is never deleted. */
function isMended({ finding, expected }: WrongGroup): boolean {
  return finding.kind === 'stale' || expected.count > 0
}
