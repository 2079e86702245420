import { normalValues } from '@rowkey/mapper'
import { keyOfRaw, or, type RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  callOptions,
  entityGroupTransaction,
  perform,
} from '@rowkey/rest'
import type { CatalogueRow } from '../catalogue/catalogue-rows.ts'
import { isUnsettled, retryConflicts, sendOnce } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { anEntity } from '../errors/rules.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { groupRows } from '../rows/group-rows.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { beginningFilter, entityFilter } from '../rows/row-filter.ts'
import { loopSeries, partitionsWith, scanRows } from '../rows/scan-rows.ts'
import { transactionsOf } from '../rows/transactions-of.ts'
import { changeOpened, checkOwn, openIndexes } from '../upkeep/catalogue-steps.ts'
import {
  type ComparedTable,
  changing,
  compareSummaries,
  isEmpty,
  repairOf,
  type SummaryFinding,
  type WrongGroup,
} from './compare-summaries.ts'
import type { SummaryRule } from './summary.ts'
import type { GroupValues, Summary } from './summary-definition.ts'

/** The errors of rows that other programs may read, and count. */
const READ_BY_OTHERS = /^(?:UnreadableVersion|DecryptionFailed)$/

/** A group of a summary, from {@link SummaryTable.query}. */
export interface SummaryGroup<Entity extends object> {
  /** The properties that it is grouped by. */
  readonly group: Partial<Entity>
  /** Its values. */
  readonly summary: Summary
}

/** How often a partition is compared, when programs change its summaries meanwhile. */
const MAX_LOOKS = 10

/** The summaries of one table, from {@link Summaries}. */
export class SummaryTable<Entity extends object, Partition extends object, Definitions> {
  readonly #parts: ComparedTable
  readonly #table: ModelTable

  /** @internal */
  constructor(parts: ComparedTable) {
    this.#parts = parts
    this.#table = parts.table
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
    values: Partition & GroupValues<Definitions[Name]>,
    options: CallOptions = {},
  ): Promise<Summary> {
    callOptions.check(options, `get of summary ${String(summary)}`)
    const rule = this.#named(summary, values)
    const normal = normalValues(rule.model, values)
    const partitionKey = this.#table.model.partitionKey.print(normal)
    const group = rule.definition.rowKey.print(normal)
    const { service } = this.#table
    return service.runAsOne(options, async (call) => {
      await this.#checkReadable(rule, call)
      const rows = await rule.readGroup(this.#table, { partitionKey, group }, call)
      return rule.total(rows.values())
    })
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
    partition: Partition,
    options: CallOptions = {},
  ): AsyncGenerator<SummaryGroup<Entity>, void, undefined> {
    callOptions.check(options, `query of summary ${String(summary)}`)
    const rule = this.#named(summary, partition)
    yield* loopSeries(this.#table.service, options, (call) => this.#query(rule, partition, call))
  }

  async *#query(
    rule: SummaryRule,
    partition: object,
    options: CallOptions,
  ): AsyncGenerator<SummaryGroup<Entity>, void, undefined> {
    const rows = rule.rowsIn(this.#partitionOf(partition))
    await this.#checkReadable(rule, options)
    const placeOf = (raw: RawEntity) => {
      const { rowKey } = keyOfRaw(raw)
      const id = rule.groupIn(rowKey)
      // A space in a group can come between the rows of another one.
      return { rowKey, id, last: rule.rowKeyOf(id, rule.spread - 1) }
    }
    for await (const group of groupRows(scanRows(this.#table, rows, options), placeOf)) {
      const all = rule.total(group.map(({ row }) => row))
      const key = group[0]?.place.id ?? ''
      if (all.count > 0)
        yield { group: rule.definition.rowKey.parse(key) as Partial<Entity>, summary: all }
    }
  }

  /**
   * Compares the summaries of a partition with its entities, and changes nothing. It reads the whole partition. Writers may go
   * on meanwhile.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the groups that are wrong
   */
  async verify(
    partition: Partition,
    options: CallOptions = {},
  ): Promise<readonly SummaryFinding[]> {
    callOptions.check(options, 'verify of summaries')
    checkArgument(anEntity, partition, 'The partition of verify of summaries')
    const { service } = this.#table
    const partitionKey = this.#partitionOf(partition)
    return service.runAsOne(options, async (call) => {
      await this.#checkOwn(call)
      for (let look = 1; ; look++) {
        const compared = await compareSummaries(this.#parts, partitionKey, call)
        const { wrong, unreadable } = compared
        if (wrong.length === 0) return unreadable
        // A group that changed since was right before, or is right now.
        const changed = await compared.changed()
        const same = wrong.filter(({ group }) => !changed.has(group))
        if (same.length === wrong.length || look === MAX_LOOKS) {
          return [...same.map(({ finding }) => finding), ...unreadable]
        }
      }
    })
  }

  /**
   * Works as {@link SummaryTable.verify}, and mends what it finds. Run it after programs without the declaration wrote the
   * partition.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the groups that were wrong
   * @throws ETagMismatchError (`PartitionChanging`) when writers changed the summaries in each of 10 attempts; run it again
   * @throws DecodeError (`UnreadableVersion`, `DecryptionFailed`) for a row of a later version of the model, or one that was encrypted with
   * another key: a program that reads it must rebuild
   */
  async rebuild(
    partition: Partition,
    options: ManyWritesOptions = {},
  ): Promise<readonly SummaryFinding[]> {
    manyWritesOptions.check(options, 'rebuild of summaries')
    checkArgument(anEntity, partition, 'The partition of rebuild of summaries')
    return this.#rebuild(this.#partitionOf(partition), options)
  }

  /**
   * Makes all summaries readable: what a program calls when it starts. One request tells that they are. Otherwise it rebuilds all partitions,
   * with one scan of the keys of the table. Writers may go on meanwhile.
   *
   * It takes over a summary of another declaration: readers by that declaration stop first. Two leases later its programs can no longer
   * write the table, and get the error `SummaryDiffers`. Two leases later the partitions are rebuilt.
   *
   * @returns what was wrong
   * @throws BatchError or ETagMismatchError when writers changed the summaries of a partition in each of 10 attempts; run it again
   *
   * @example
   * ```ts
   * await summaries.on(account).ensure()
   * ```
   */
  async ensure(options: ManyWritesOptions = {}): Promise<readonly SummaryFinding[]> {
    manyWritesOptions.check(options, 'ensure of summaries')
    const { service } = this.#table
    return service.runAsOne(options, async (call) => {
      const opened = await openIndexes(this.#parts, [...this.#parts.rules.values()], call)
      if (opened.every(({ row }) => row.state === 'readable')) return []
      const findings: SummaryFinding[] = []
      for (const partitionKey of await this.#partitions(call)) {
        findings.push(...(await this.#rebuild(partitionKey, call)))
      }
      const finish = (row: CatalogueRow): CatalogueRow => ({ ...row, state: 'readable' })
      await changeOpened(this.#parts, opened, finish, call)
      return findings
    })
  }

  /** Lists the partitions that have entities or rows of summaries. */
  async #partitions(options: CallOptions): Promise<readonly string[]> {
    const own = entityFilter(this.#table.model)
    const kept = Array.from(this.#parts.rules.values(), ({ beginning }) =>
      beginningFilter(beginning),
    )
    const filter = or(...(own === undefined ? [] : [own]), ...kept)
    return partitionsWith(this.#table, filter, options)
  }

  /** @throws InputError (`SummaryDiffers`) when a read may find a group that is not counted */
  async #checkReadable(rule: SummaryRule, options: CallOptions): Promise<void> {
    const { state, row, trouble } = await this.#parts.catalogue.standing(this.#table, rule, options)
    if (trouble !== undefined) throw trouble
    if (state === 'readable') return
    if (row === undefined && (await isEmpty(this.#table.model, this.#table, options))) return
    throw patternsInputError({
      code: 'SummaryDiffers',
      message: `The ${rule.title} in table ${this.#table.name} is not built: the table had rows when it was declared, or another declaration kept it. Call ensure() of the summaries once.`,
    })
  }

  /** Rejects summaries that another declaration keeps. */
  #checkOwn(options: CallOptions): Promise<void> {
    return checkOwn(this.#parts, this.#parts.rules.values(), options)
  }

  #partitionOf(values: object): string {
    const { model } = this.#table
    return model.partitionKey.print(normalValues(model, values))
  }

  #rebuild(partitionKey: string, options: ManyWritesOptions): Promise<readonly SummaryFinding[]> {
    const attempt = async (within: CallOptions) => {
      await this.#checkOwn(within)
      const compared = await compareSummaries(this.#parts, partitionKey, within)
      const { wrong, unreadable } = compared
      const counted = unreadable.find(({ error }) => READ_BY_OTHERS.test(String(error.code)))
      if (counted !== undefined) throw counted.error
      const repairs = wrong
        .filter(isMended)
        .map((each) => ({ changes: repairOf(each, this.#table.name, partitionKey) }))
      // The rows of a spread group are repaired together.
      for (const part of transactionsOf(repairs, this.#table.service, within)) {
        const changes = part.flatMap((repair) => repair.changes)
        await this.#store(changes, within)
      }
      // A group that was right may be wrong now.
      for (const group of await compared.changed()) {
        if (wrong.every((each) => each.group !== group)) throw changing(this.#parts)
      }
      const findings = wrong.map((each) => ({ ...each.finding, repaired: isMended(each) }))
      return [...findings, ...unreadable]
    }
    return retryConflicts(this.#table.service, attempt, options)
  }

  /** @throws ETagMismatchError (`PartitionChanging`) when the partition must be compared again */
  async #store(changes: readonly Change[], options: CallOptions): Promise<void> {
    const { service, name: table } = this.#table
    const send = (once: CallOptions) =>
      perform(service, entityGroupTransaction, { table, changes }, once)
    try {
      // An insert could arrive when its group is empty again.
      await sendOnce(service, send, options)
    } catch (error) {
      throw isUnsettled(error) ? changing(this.#parts) : error
    }
  }

  #named(name: string, values: object): SummaryRule {
    const { rules } = this.#parts
    const rule = rules.get(name)
    if (rule === undefined) {
      throw invalidPatternOption(
        `${this.#table.model.title} has no summary ${JSON.stringify(String(name))}. It has: ${[...rules.keys()].join(', ')}.`,
      )
    }
    checkArgument(anEntity, values, `The values for summary ${name} of ${rule.model.title}`)
    return rule
  }
}

/** A row that cannot be read is never deleted. */
function isMended({ finding, expected }: WrongGroup): boolean {
  return finding.kind === 'stale' || expected.count > 0
}
