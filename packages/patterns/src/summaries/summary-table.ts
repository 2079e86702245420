import { normalValues } from '@rowkey/mapper'
import { and, keyOfRaw } from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'
import type { Catalogue, DerivedState } from '../derived/catalogue.ts'
import type { DerivedProgress, Summary } from '../derived/compare.ts'
import { Upkeep } from '../derived/upkeep.ts'
import type { BuildOptions, ScrubOptions } from '../derived/upkeep-options.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { anEntity } from '../errors/rules.ts'
import type { ManyWritesOptions } from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { beginningFilter, inPartition } from '../rows/row-filter.ts'
import { loopInCall, scanRows } from '../rows/scan-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import { summaryComparison } from './compare-summaries.ts'
import type { SummaryRule } from './summary.ts'
import type { GroupOf, GroupValues, SumsOf } from './summary-definition.ts'

/** A group of a summary, from {@link SummaryTable.query}. */
export interface SummaryGroup<Group extends object, Sums extends object> {
  /** The properties that it is grouped by. */
  readonly group: Group
  /** Its values. */
  readonly summary: Summary<Sums>
}

/** The parts of a {@link SummaryTable}. */
interface SummaryTableParts {
  readonly table: ModelTable
  readonly rules: ReadonlyMap<string, SummaryRule>
  readonly catalogue: Catalogue
}

/** The summaries of one table, from {@link declareSummaries}. */
export class SummaryTable<
  Entity extends object,
  Partition extends object,
  Definitions,
  Name extends keyof Definitions & string = keyof Definitions & string,
> {
  readonly #table: ModelTable
  readonly #upkeep: Upkeep<SummaryRule>

  /** @internal */
  constructor({ table, rules: definitions, catalogue }: SummaryTableParts) {
    const comparison = summaryComparison
    const own = {
      title: 'summaries',
      kind: 'su',
      definitions,
      catalogue,
      comparison,
      table,
    } as const
    this.#table = table
    this.#upkeep = new Upkeep(own)
  }

  /** The names of the summaries. */
  get names(): readonly Name[] {
    return this.#upkeep.names as readonly Name[] // those of the definitions
  }

  /**
   * Reads one group of a summary by one request. A group without entities has a count of 0.
   *
   * @param summary - the name of the summary
   * @param values - the properties of the PartitionKey, and those that it is grouped by
   * @throws InputError (`NotReadable`) before the summary is built
   */
  async get<Own extends Name>(
    summary: Own,
    values: Partition & GroupValues<Definitions[Own]>,
    options: CallOptions = {},
  ): Promise<Summary<SumsOf<Entity, Definitions[Own]>>> {
    const place = `get of summary ${String(summary)}`
    callOptions.check(options, place)
    const rule = this.#named(summary, values)
    const normal = normalValues(rule.model, values)
    const partitionKey = this.#table.model.partitionKey.print(normal)
    const rowKey = rule.rowKey.print(normal)
    const { service } = this.#table
    return service.call(options, place, async ({ options: call }) => {
      await this.#upkeep.readable(summary, call)
      const values = rule.read(await findStored(this.#table, { partitionKey, rowKey }, call))
      return values as Summary<SumsOf<Entity, Definitions[Own]>>
    })
  }

  /**
   * Reads all groups of a summary in a partition, in the order of their keys: one request for each 1,000 groups.
   *
   * @param summary - the name of the summary
   * @param partition - the properties of the PartitionKey
   * @throws InputError (`NotReadable`) before the summary is built
   */
  async *query<Own extends Name>(
    summary: Own,
    partition: Partition,
    options: CallOptions = {},
  ): AsyncGenerator<
    SummaryGroup<GroupOf<Entity, Definitions[Own]>, SumsOf<Entity, Definitions[Own]>>,
    void,
    undefined
  > {
    const place = `query of summary ${String(summary)}`
    callOptions.check(options, place)
    const rule = this.#named(summary, partition)
    const groups = loopInCall(this.#table.service, options, place, (call) =>
      this.#query(rule, partition, call),
    )
    // The definition has these properties.
    yield* groups as AsyncIterable<
      SummaryGroup<GroupOf<Entity, Definitions[Own]>, SumsOf<Entity, Definitions[Own]>>
    >
  }

  async *#query(
    rule: SummaryRule,
    partition: object,
    options: CallOptions,
  ): AsyncGenerator<SummaryGroup<object, object>, void, undefined> {
    const { model } = this.#table
    const partitionKey = model.partitionKey.print(normalValues(model, partition))
    await this.#upkeep.readable(rule.name, options)
    const rows = and(inPartition(partitionKey), beginningFilter(rule.beginning))
    for await (const raw of scanRows(this.#table, rows, options)) {
      const summary = rule.read(raw)
      if (summary.count > 0) yield { group: rule.rowKey.parse(keyOfRaw(raw).rowKey), summary }
    }
  }

  /**
   * Reads the state of a summary, as it is stored now: what a program asks when it starts. It costs one request. In a table without rows, in
   * which nothing is declared yet, the summaries are readable.
   */
  async state(summary: Name, options: CallOptions = {}): Promise<DerivedState> {
    return this.#upkeep.state(summary, options)
  }

  /**
   * Builds the summaries that are not readable: a step of a deployment, when every program that writes the table declares them. It works as
   * {@link IndexedTable.build}.
   *
   * @returns what this program compared
   * @throws InputError (`BuildIncomplete`) when a summary is not readable: a program that does not declare it still writes, or rows are unreadable
   * @throws ETagMismatchError (`PartitionChanging`) when writers changed the summaries of a partition in each of 10 attempts; build again
   * @throws DecodeError (`UnreadableVersion`, `DecryptionFailed`) for a row of a later version of the model, or one that was encrypted with
   * another key: a program that reads it must build
   *
   * @example
   * ```ts
   * await summaries.on(account).build()
   * ```
   */
  async build(options: BuildOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.build(options)
  }

  /**
   * Compares the summaries with the entities, and changes nothing. It reads the whole table. Writers may go on meanwhile.
   *
   * @returns the progress at the end, with the first 100 groups that are wrong
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'verify')
  }

  /**
   * Works as {@link SummaryTable.verify}, and repairs the findings. It throws as {@link SummaryTable.build}.
   */
  async repair(options: ScrubOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'repair')
  }

  /**
   * Drops a summary and deletes its rows, as {@link IndexedTable.drop} does.
   *
   * @param summary - the name of the summary, also of one that the program no longer declares; with a fingerprint it means one declaration of it
   */
  async drop(summary: string, options: ManyWritesOptions = {}): Promise<void> {
    return this.#upkeep.drop(summary, options)
  }

  #named(name: string, values: object): SummaryRule {
    const rule = this.#upkeep.named(name)
    checkArgument(anEntity, values, `The values for summary ${name} of ${rule.model.title}`)
    return rule
  }
}
