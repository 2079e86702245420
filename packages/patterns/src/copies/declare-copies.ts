import { type Account, type EntityModel, keepersOf, keepRows, ModelError } from '@rowkey/mapper'
import { aFunction, required, rule } from '@rowkey/odata'
import { fingerprintOf } from '../derived/definition.ts'
import { declareDerived } from '../derived/keeper.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { aCount, aDefinitionName, aModel, anAccount, aRecord, aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { isEncrypted, knownProperties } from '../rows/known-properties.ts'
import { aWorker, type Work } from '../worker/work.ts'
import type { CopyFields, CopyRules } from './copy-rules.ts'
import { followCopies } from './follow-copies.ts'
import { holderKeeper } from './holder-keeper.ts'
import { type CopiesTables, HolderTable } from './holder-table.ts'
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
   * The worker of holders in other partitions or tables than their sources: each write stores a message beside its row, and the worker
   * refreshes the holders a moment later. Without it, a source and its holders are written in one transaction.
   *
   * @defaultValue no worker
   */
  readonly worker?: Work<object> | undefined
  /**
   * The name of the copies, for two models with several: letters, digits, `-` and `_`.
   *
   * @defaultValue `'copies'`
   */
  readonly name?: string | undefined
  /**
   * Counts the changes of `source`, `holders` and of converters of copied properties, which cannot be compared otherwise. After a change the
   * copies are other ones: see {@link HolderTable.build}.
   *
   * @defaultValue 1
   */
  readonly revision?: number | undefined
  /**
   * The first version of the source's model that gives the same values as this one. Programs of these versions share the copies.
   *
   * @defaultValue the version of the model: each version has copies of its own
   */
  readonly sameSince?: number | undefined
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
  worker: aWorker,
  name: aDefinitionName,
  revision: aCount,
  sameSince: aCount,
})

const tableNames = declarePattern<CopiesTables>({ source: aText, holder: aText })

function isNameOrAbsent(name: unknown): boolean {
  return name === undefined || typeof name === 'string'
}

/** Copies of the properties of one model in another, from {@link declareCopies}. */
export class Copies<Holder extends object> {
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
}

/**
 * Declares that a model holds copies of properties of another, so that one point read returns both: a
 * department with the name of its manager. From then on every write of a source also updates its holders,
 * in the same transaction. A write of a holder is rejected if its copies differ from the stored source.
 *
 * Call it next to the models, before the first write.
 *
 * @param source - the model with the values
 * @param holder - the model with the copies. In one table, the RowKeys of both need fixed beginnings of their own
 * @param options - what is copied, and who refers to whom
 * @throws ModelError when a copied property is not stored, and when queries of the source would read the holders
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
): Copies<Holder> {
  copiesOptions.check(options, 'declareCopies')
  checkArgument(aModel, source, 'The source of declareCopies')
  checkArgument(aModel, holder, 'The holder of declareCopies')
  const { name = 'copies', revision, sameSince } = options
  const from = Object.values<string | undefined>(options.fields).flatMap((each) => each ?? [])
  const declaration = {
    keys: [],
    properties: from,
    shown: Object.keys(options.fields),
    revision,
    sameSince,
  }
  const rules: CopyRules = {
    kind: 'copies',
    name,
    id: `cp~${name}.${fingerprintOf(source as EntityModel<object>, declaration)}`,
    model: source as EntityModel<object>,
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
  declareDerived(rules.source, [rules], undefined, 'declareCopies')
  declareDerived(rules.holder, [rules], undefined, 'declareCopies')
  if (options.worker !== undefined) {
    followCopies(rules, options.worker)
  } else {
    checkApart(rules)
    const known = keepersOf(rules.source).find((keeper) => keeper instanceof SourceKeeper)
    const keeper = known ?? new SourceKeeper(rules.source)
    keepRows(rules.source, keeper, 'declareCopies')
    keepRows(rules.holder, holderKeeper(rules), 'declareCopies')
    keeper.add(rules)
  }
  return new Copies(rules)
}

/** Rejects two models in one partition when queries of the source would read the holders. */
function checkApart({ source, holder }: CopyRules): void {
  const [own, theirs] = [source.rowKey.prefix({}), holder.rowKey.prefix({})]
  const isShared = source !== holder && (own.startsWith(theirs) || theirs.startsWith(own))
  if (!isShared || source.discriminator !== undefined) return
  throw new ModelError({
    className: source.title,
    problem: `Its rows and those of ${holder.title}, which holds copies of them, are in one partition, and their RowKeys could begin alike: '${own}' and '${theirs}'. Give them other beginnings, or the source a discriminator.`,
  })
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
