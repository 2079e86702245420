import { type Account, codecOf, type EntityModel, lifetimeOf, type Table } from '@rowkey/mapper'
import { checkEntityKey, type EntityKey } from '@rowkey/odata'
import type { CallOptions, TableService } from '@rowkey/rest'
import { isUnsettled, retryConflicts } from '../conflicts/retry-conflicts.ts'
import { catalogueOf, type DerivedState } from '../derived/catalogue.ts'
import type { DerivedProgress } from '../derived/compare.ts'
import { Upkeep } from '../derived/upkeep.ts'
import type { BuildOptions, ScrubOptions } from '../derived/upkeep-options.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { anEntity } from '../errors/rules.ts'
import { atPrimary, type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { copyComparison } from './compare-copies.ts'
import { type CopyRules, fillCopies, sourceKeyOf } from './copy-rules.ts'

/** The options of {@link Copies.on}. */
export interface CopiesTables {
  /**
   * The name of the table of the sources.
   *
   * @defaultValue the name of their model
   */
  readonly source?: string | undefined
  /**
   * The name of the table of the holders.
   *
   * @defaultValue the name of their model
   */
  readonly holder?: string | undefined
}

/** The holders of one table, from {@link Copies.on}. */
export class HolderTable<Holder extends object> {
  readonly #rules: CopyRules
  readonly #service: TableService
  readonly #sources: Table<object, object, object>
  readonly #holders: Table<object, object, object>
  readonly #upkeep: Upkeep<CopyRules>

  /** @internal */
  constructor(rules: CopyRules, account: Account, { source, holder }: CopiesTables) {
    const { service } = account
    this.#rules = rules
    this.#service = service
    this.#sources = storedTable(account, rules.source, source)
    this.#holders = storedTable(account, rules.holder, holder)
    const sources = { service, name: this.#sources.name }
    const holders = { service, name: this.#holders.name }
    this.#upkeep = new Upkeep({
      title: 'copies',
      kind: 'cp',
      table: sources,
      catalogue: catalogueOf(rules.source),
      mirrors: [{ table: holders, catalogue: catalogueOf(rules.holder) }],
      definitions: new Map([[rules.name, rules]]),
      comparison: copyComparison({ rules, sources, holders }, (key, options) =>
        this.refresh(key, options),
      ),
    })
  }

  /**
   * Sets the copies in a holder, new or changed, from the source that it refers to now: one point read. Write the holder
   * afterwards.
   *
   * @param holder - the entity, which is not written
   */
  async fill(holder: Holder, options: ManyWritesOptions = {}): Promise<Holder> {
    manyWritesOptions.check(options, 'fill of copies')
    checkArgument(anEntity, holder, 'The holder of fill of copies')
    fillCopies(this.#rules, holder, await this.#readSource(holder, options))
    return holder
  }

  /**
   * Reads a holder and its source, and stores the copies if they are wrong. Several programs may do this at
   * once and in any order. It reads the holder first and writes by its ETag, so an older source never
   * replaces a newer one.
   *
   * @param target - the key properties of the holder, or a message of an outbox
   * @returns whether the copies were wrong
   */
  async refresh(target: object, options: ManyWritesOptions = {}): Promise<boolean> {
    manyWritesOptions.check(options, 'refresh of copies')
    checkArgument(anEntity, target, 'The target of refresh of copies')
    const { holder: model } = this.#rules
    const key = 'partitionKey' in target ? (target as EntityKey) : codecOf(model).keyOf(target)
    checkEntityKey(key)
    const attempt = async (within: CallOptions, isInDoubt: boolean): Promise<boolean> => {
      const holder = await this.#holders.find([key.partitionKey, key.rowKey], atPrimary(within))
      if (holder === undefined) return isInDoubt
      const source = await this.#readSource(holder, within)
      const isRight = fillCopies(this.#rules, holder, source).length === 0
      // Once the holder has another version, a write in doubt that arrives late is rejected.
      if (isRight && !isInDoubt) return false
      await this.#holders.replace(holder, within)
      return true
    }
    return retryConflicts(this.#service, attempt, options, isUnsettled)
  }

  /**
   * Reads the state of the copies, as it is stored now: what a program asks when it starts. It costs one request. In a table of sources without
   * rows, in which nothing is declared yet, they are readable.
   */
  async state(options: CallOptions = {}): Promise<DerivedState> {
    return this.#upkeep.state(this.#rules.name, options)
  }

  /**
   * Makes the copies of all holders right, and lets only programs write that declare them: a step of a deployment. It works as
   * {@link IndexedTable.build}.
   *
   * @throws InputError (`BuildIncomplete`) when a program that does not declare them still writes, or rows are unreadable
   */
  async build(options: BuildOptions = {}): Promise<DerivedProgress> {
    return this.#upkeep.build(options)
  }

  /** Compares the copies of all holders with their sources, and changes nothing: a request for each 1,000 holders, and one for each source. */
  async verify(options: ScrubOptions = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'verify')
  }

  /**
   * Works as {@link HolderTable.verify}, and repairs the findings: after programs without the declaration wrote the tables. It reports the holders
   * that it cannot read, and goes on.
   */
  async repair(options: ScrubOptions = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'repair')
  }

  /**
   * Drops the copies: programs no longer keep them, and may have other declarations. The properties of the holders stay as they are.
   *
   * @param name - their name, also with the fingerprint of an earlier declaration; that of this declaration when absent
   */
  async drop(name: string = this.#rules.name, options: ManyWritesOptions = {}): Promise<void> {
    return this.#upkeep.drop(name, options)
  }

  async #readSource(holder: object, options: CallOptions): Promise<object | undefined> {
    const key = sourceKeyOf(this.#rules, holder)
    return key && this.#sources.find([key.partitionKey, key.rowKey], atPrimary(options))
  }
}

/** Opens a table with all its rows: those that have expired or are deleted softly have copies, too, until they are swept. */
function storedTable(
  account: Account,
  model: EntityModel<object, object, object>,
  name: string | undefined,
): Table<object, object, object> {
  const table = account.table(model, { name })
  return model.lifetime === undefined ? table : lifetimeOf(table).all
}
