import {
  type Account,
  atPrimary,
  codecOf,
  type EntityModel,
  keepersOf,
  keepRows,
  lifetimeOf,
  ModelError,
  type Table,
} from '@rowkey/mapper'
import {
  aFunction,
  checkEntityKey,
  DecodeError,
  type EntityKey,
  required,
  rule,
  trueOrFalse,
} from '@rowkey/odata'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import type { CallOptions, TableService } from '@rowkey/rest'
import { isUnsettled, retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel, anAccount, anEntity, aRecord, aText } from '../errors/rules.ts'
import {
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import type { EntityTransition } from '../outbox/outbox-keeper.ts'
import { isEncrypted, knownProperties } from '../rows/known-properties.ts'
import { isKeyError, type UnreadableRow } from '../rows/unreadable.ts'
import {
  type CopyFields,
  type CopyRules,
  fillCopies,
  hadSource,
  holderKeysOf,
  isChanged,
  sourceKeyOf,
} from './copy-rules.ts'
import { holderKeeper } from './holder-keeper.ts'
import { SourceKeeper } from './source-keeper.ts'

/** What is copied, from where and to where, for {@link declareCopies}. */
export interface CopiesOptions<
  Source extends object,
  SourceKey extends object,
  Holder extends object,
  HolderKey extends object,
> {
  /** The copied properties: the name in the holder, and the name in the source. */
  readonly fields: CopyFields<Source, Holder>
  /** Returns the key properties of the source that a holder refers to; `undefined` when it refers to none. */
  readonly source: (holder: Holder) => SourceKey | undefined
  /**
   * Returns the key properties of the holders that may refer to a source. Only those that do are changed. It must depend
   * on nothing but the source.
   */
  readonly holders: (source: Source) => readonly HolderKey[]
  /**
   * Whether the holders are in other partitions or tables than their sources, and follow them by an outbox. Without it, both
   * are written in one transaction.
   *
   * @defaultValue `false`
   */
  readonly eventual?: boolean | undefined
}

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

const copiesOptions = declarePattern<CopiesOptions<never, object, never, object>>({
  fields: required(
    rule(
      'an object with the names of properties',
      (fields) => aRecord.accepts(fields) && Object.values(Object(fields)).every(isNameOrAbsent),
    ),
  ),
  source: required(aFunction),
  holders: required(aFunction),
  eventual: trueOrFalse,
})

const tableNames = declarePattern<CopiesTables>({ source: aText, holder: aText })

function isNameOrAbsent(name: unknown): boolean {
  return name === undefined || typeof name === 'string'
}

/** The result of {@link HolderTable.repair}. */
export interface CopiesRepair {
  /** How many holders were compared. */
  readonly checked: number
  /** How many of them had wrong copies, which are right now. */
  readonly repaired: number
  /** The holders that their model cannot read, whose source it cannot read, or whose reference no key can hold. They are unchanged. */
  readonly unreadable: readonly UnreadableRow[]
}

/** Copies of the properties of one model in another, from {@link declareCopies}. */
export class Copies<Source extends object, Holder extends object> {
  readonly #rules: CopyRules

  /** @internal */
  constructor(rules: CopyRules) {
    this.#rules = rules
  }

  /**
   * Opens the holders of one table. Nothing is sent.
   *
   * @param account - the account of the tables
   * @param tables - the names of the tables, where they are not those of the models
   */
  on(account: Account, tables: CopiesTables = {}): HolderTable<Holder> {
    checkArgument(anAccount, account, 'on of copies')
    tableNames.check(tables, 'on of copies')
    return new HolderTable(this.#rules, account, tables)
  }

  /**
   * Returns the messages for an outbox of the source: the keys of the holders to refresh.
   *
   * @param transition - what the write made of the source
   */
  messagesOfSource(transition: EntityTransition<Source>): readonly EntityKey[] {
    checkArgument(anEntity, transition, 'The transition of messagesOfSource of copies')
    const { before, after, isMigrated } = transition
    const rules = this.#rules
    if (!isMigrated && !isChanged(rules, before, after)) return []
    const keys = holderKeysOf(rules, before, after)
    return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  }

  /**
   * Returns the messages for an outbox of the holder: its own key, when it refers to another source now.
   *
   * @param transition - what the write made of the holder
   */
  messagesOfHolder(transition: EntityTransition<Holder>): readonly EntityKey[] {
    checkArgument(anEntity, transition, 'The transition of messagesOfHolder of copies')
    const { before, after } = transition
    if (after === undefined) return []
    const isSame = hadSource(this.#rules, before, sourceKeyOf(this.#rules, after))
    return isSame ? [] : [codecOf(this.#rules.holder).keyOf(after)]
  }
}

/** The holders of one table, from {@link Copies.on}. */
export class HolderTable<Holder extends object> {
  readonly #rules: CopyRules
  readonly #service: TableService
  readonly #sources: Table<object, object, object>
  readonly #holders: Table<object, object, object>

  /** @internal */
  constructor(rules: CopyRules, account: Account, { source, holder }: CopiesTables) {
    this.#rules = rules
    this.#service = account.service
    this.#sources = storedTable(account, rules.source, source)
    this.#holders = storedTable(account, rules.holder, holder)
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
   * Refreshes all holders that a condition matches: after programs without the declaration wrote the tables. It reports
   * those that it cannot read, and goes on.
   *
   * @param where - a condition on the holders; all holders of the table when absent
   */
  async repair(
    where?: WhereCondition<QueryShape<Holder>>,
    options: ManyWritesOptions = {},
  ): Promise<CopiesRepair> {
    manyWritesOptions.check(options, 'repair of copies')
    const all = this.#holders.query()
    // The model is that of the holders.
    const some = where === undefined ? all.allowTableScan() : all.where(where as never)
    const keys = some.resolve((partitionKey, rowKey) => ({ partitionKey, rowKey }))
    const unreadable: UnreadableRow[] = []
    let [checked, repaired] = [0, 0]
    return this.#service.runAsOne(options, async (call) => {
      for await (const row of keys.rows(atPrimary(call))) {
        checked++
        try {
          if (await this.refresh(row, call)) repaired++
        } catch (error) {
          if (!(error instanceof DecodeError || isKeyError(error))) throw error
          unreadable.push({ kind: 'unreadable', row, error, repaired: false })
        }
      }
      return { checked, repaired, unreadable }
    })
  }

  async #readSource(holder: object, options: CallOptions): Promise<object | undefined> {
    const key = sourceKeyOf(this.#rules, holder)
    return key && this.#sources.find([key.partitionKey, key.rowKey], atPrimary(options))
  }
}

/**
 * Declares that a model holds copies of properties of another, so that one point read returns both: a
 * department with the name of its manager. From then on every write of a source also updates its holders,
 * in the same transaction. A write of a holder is rejected if its copies differ from the stored source.
 *
 * Call it next to the models, before the first write.
 *
 * @param source - the model with the values
 * @param holder - the model with the copies. In one table, its RowKeys need a fixed beginning of their own
 * @param options - what is copied, and who refers to whom
 * @throws ModelError when a copied property is not stored
 *
 * @example
 * ```ts
 * const managers = declareCopies(Employee, Department, {
 *   fields: { managerName: 'lastName', managerEmail: 'email' },
 *   source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
 *   holders: ({ department }) => [{ department }],
 * })
 * ```
 */
export function declareCopies<
  Source extends object,
  SourceInput extends object,
  SourceKey extends object,
  Holder extends object,
  HolderInput extends object,
  HolderKey extends object,
>(
  source: EntityModel<Source, SourceInput, SourceKey>,
  holder: EntityModel<Holder, HolderInput, HolderKey>,
  options: CopiesOptions<Source, SourceKey, Holder, HolderKey>,
): Copies<Source, Holder> {
  copiesOptions.check(options, 'declareCopies')
  checkArgument(aModel, source, 'The source of declareCopies')
  checkArgument(aModel, holder, 'The holder of declareCopies')
  const rules: CopyRules = {
    source: source as EntityModel<object, object, object>,
    holder: holder as EntityModel<object, object, object>,
    fields: Object.entries<string | undefined>(options.fields).flatMap(([to, from]) =>
      from === undefined ? [] : [[to, from] as const],
    ),
    // They are called with entities of these models only.
    sourceOf: (entity) => options.source(entity as Holder),
    holdersOf: (entity) => options.holders(entity as Source),
  }
  checkRules(rules)
  if (options.eventual !== true) {
    const known = keepersOf(rules.source).find((keeper) => keeper instanceof SourceKeeper)
    const keeper = known ?? new SourceKeeper(rules.source)
    keepRows(rules.source, keeper, 'declareCopies')
    keepRows(rules.holder, holderKeeper(rules), 'declareCopies')
    keeper.add(rules)
  }
  return new Copies(rules)
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

function checkRules({ source, holder, fields }: CopyRules): void {
  const known = knownProperties(source)
  const own = new Set(holder.columns.map(({ property }) => property))
  for (const [to, from] of fields) {
    if (!known.has(from)) throw wrongField(source, from, NOT_STORED)
    if (!own.has(to)) throw wrongField(holder, to, NOT_STORED)
    if (isEncrypted(source, from) && !isEncrypted(holder, to)) {
      const problem = `It would show '${from}', which is encrypted in the source. Encrypt the copy, too, or do not copy it.`
      throw wrongField(holder, to, problem)
    }
  }
}

const NOT_STORED = 'It is not a stored property of the model, so it cannot be copied. Declare it.'

function wrongField(
  { title: className }: EntityModel<object>,
  property: string,
  problem: string,
): ModelError {
  return new ModelError({ className, property, problem })
}
