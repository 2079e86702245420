import {
  codecOf,
  type EntityModel,
  joinPlans,
  type KeptCall,
  type KeptPlan,
  planKeptRows,
  type RowKeeper,
  type RowTransition,
} from '@rowkey/mapper'
import { type EntityKey, parseEntityObject } from '@rowkey/odata'
import { type Change, updateEntity } from '@rowkey/rest'
import { catalogueOf } from '../derived/catalogue.ts'
import { keptOf } from '../derived/keeper.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import { planAgain } from '../rows/kept-rows.ts'
import { etagOf, findStored, isSameKey } from '../rows/stored-row.ts'
import { keptBefore } from '../rows/unreadable.ts'
import {
  type CopyRules,
  type FilledTransition,
  fillCopies,
  holderKeysOf,
  isChanged,
  readRow,
  sourceKeyOf,
} from './copy-rules.ts'
import { copiesIn } from './holder-keeper.ts'

/** A row that may hold copies. */
interface HolderRow {
  readonly model: EntityModel<object, object, object>
  readonly key: EntityKey
}

/** The new copies of one holder. */
interface HolderWrite {
  readonly model: EntityModel<object, object, object>
  readonly change: Change
  readonly transition: RowTransition
}

/** The RowKeys of the holders that the first of several sources of a call has planned, with the copies of all. */
const planned = new WeakMap<readonly RowTransition[], Set<string>>()

/** Updates the copies of a model's entities in the transactions of their writes: those of all declarations together. */
export class SourceKeeper implements RowKeeper {
  readonly #source: EntityModel<object, object, object>
  readonly #rules: CopyRules[] = []

  /** @param source - the model whose properties are copied */
  constructor(source: EntityModel<object, object, object>) {
    this.#source = source
  }

  /** Adds a declaration. */
  add(rules: CopyRules): void {
    this.#rules.push(rules)
  }

  touches(): boolean {
    return true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const earlier = planned.get(call.written) ?? new Set<string>()
    planned.set(call.written, earlier)
    const holders = this.#holdersOf(transitions, call).filter(({ key }) => !earlier.has(key.rowKey))
    for (const { key } of holders) earlier.add(key.rowKey)
    const read = holders.map((holder) => updateOf(holder, call))
    const writes = (await Promise.all(read)).flatMap((each) => each ?? [])
    return this.#planned(writes, call)
  }

  /** Joins the writes of the holders and what their own keepers store with them. */
  async #planned(writes: readonly HolderWrite[], call: KeptCall): Promise<KeptPlan> {
    const plans: KeptPlan[] = []
    for (const model of new Set(writes.map((each) => each.model))) {
      const own = writes.filter((each) => each.model === model)
      const transitions = own.map(
        ({ transition }): FilledTransition => ({ ...transition, isFilled: true }),
      )
      const written = [...call.written, ...transitions]
      plans.push(await planKeptRows(model, transitions, { ...call, written }))
    }
    // When a holder has changed since it was read, the copies are planned again.
    const own = { companions: writes.map(({ change }) => change), rejected: planAgain }
    return { ...joinPlans([own, ...plans]), isOfOtherWrites: true }
  }

  #holdersOf(transitions: readonly RowTransition[], call: KeptCall): readonly HolderRow[] {
    const kept = keptOf(this.#rules, catalogueOf(this.#source), call)
    const holders = kept.flatMap((rules) =>
      transitions
        .flatMap((transition) => holdersIn(rules, transition))
        .map((key): HolderRow => ({ model: rules.holder, key })),
    )
    return [...new Map(holders.map((holder) => [holder.key.rowKey, holder])).values()]
  }
}

/** Returns the write of a holder with the new copies of all sources that are written; `undefined` when it has them. */
async function updateOf(
  { model, key }: HolderRow,
  { table, written, options }: KeptCall,
): Promise<HolderWrite | undefined> {
  const own = written.find((each) => isSameKey(each.key, key))
  const stored = own === undefined ? await findStored(table, key, options) : own.after
  const holder = readRow(model, stored)
  if (stored === undefined || holder === undefined) return undefined
  const filled = copiesIn(model).flatMap((rules) => fillFrom(rules, holder, written))
  if (filled.length === 0) return undefined
  if (own !== undefined) throw writtenTwice(model, key)
  const body = codecOf(model).write(holder)
  const input = { table: table.name, key, body, etag: etagOf(stored) }
  const transition = { key, before: stored, after: parseEntityObject(body) }
  return { model, change: { operation: updateEntity, input }, transition }
}

/** Returns the keys of the holders that a write may concern. */
function holdersIn(rules: CopyRules, transition: RowTransition): readonly EntityKey[] {
  const { key, before, after } = transition
  const [was, is] = [before, after].map((raw) => readRow(rules.source, raw))
  if (!isMigrated(rules.source, transition) && !isChanged(rules, was, is)) return []
  const keys = holderKeysOf(rules, was, is)
  const far = keys.find(({ partitionKey }) => partitionKey !== key.partitionKey)
  if (far !== undefined) throw otherPartition(rules, key, far)
  return keys
}

/** Sets the copies of one declaration, when a write concerns the source that the holder refers to. */
function fillFrom(
  rules: CopyRules,
  holder: object,
  transitions: readonly RowTransition[],
): readonly string[] {
  const target = keptBefore(holder, (each) => sourceKeyOf(rules, each))
  const own = transitions.find(({ key }) => isSameKey(key, target))
  return own === undefined ? [] : fillCopies(rules, holder, readRow(rules.source, own.after))
}

function otherPartition({ source, holder }: CopyRules, key: EntityKey, far: EntityKey): Error {
  return invalidPatternOption(
    `${holder.title} ${JSON.stringify(far)} is in another partition than its source, ${source.title} ${JSON.stringify(key)}, and a transaction holds one partition. Declare the copies as eventual, with an outbox.`,
  )
}

function writtenTwice({ title }: EntityModel<object>, { partitionKey, rowKey }: EntityKey): Error {
  return patternsInputError({
    code: 'InvalidCopy',
    message: `The batch would write ${title} ${JSON.stringify([partitionKey, rowKey])} in one batch with the row that it copies from. Write them in two batches, or give it the new copies.`,
  })
}
