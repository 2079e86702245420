import {
  codecOf,
  type KeptCall,
  type KeptPlan,
  type RowKeeper,
  type RowTransition,
} from '@rowkey/mapper'
import type { EntityKey, FilterNode } from '@rowkey/odata'
import { type Change, updateEntity } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { patternsInputError } from '../errors/codes.ts'
import { findStored } from '../indexes/entry-reader.ts'
import { checkOwnKey } from '../rows/check-beginnings.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'
import {
  type CopyRules,
  fillCopies,
  holderKeysOf,
  isChanged,
  isSameKey,
  readSource,
  sourceKeyOf,
} from './copy-rules.ts'

/** Updates the copies in the transaction of the write that changes their source. */
export class SourceKeeper implements RowKeeper {
  readonly rows: FilterNode | undefined
  readonly #rules: CopyRules

  /** @param rules - how copies are made */
  constructor(rules: CopyRules) {
    const others = beginningOf(rules.holder.rowKey)
    this.rows = others === '' ? undefined : rowFilter(rules.source, [others])
    this.#rules = rules
  }

  touches(): boolean {
    return true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    for (const { key } of transitions) this.#checkRowKey(key.rowKey)
    const keys = transitions.flatMap((transition) => this.#holdersOf(transition))
    const distinct = new Map(keys.map((key) => [key.rowKey, key]))
    const planned = await Promise.all(
      Array.from(distinct.values(), (key) => this.#update(key, transitions, call)),
    )
    return {
      companions: planned.flatMap((each) => each ?? []),
      // The holder changed since it was read, so the copies are planned again.
      rejected: async (_, error) => (isConflict(error) ? undefined : error),
    }
  }

  #checkRowKey(rowKey: string): void {
    const { source, holder } = this.#rules
    const [own, beginning] = [source, holder].map((model) => beginningOf(model.rowKey))
    // With a beginning of its own, or in another table, a source cannot be taken for a holder.
    if (own !== '' || !beginning || source.name !== holder.name) return
    checkOwnKey(source, rowKey, { kind: `the rows of ${holder.title}`, beginning })
  }

  #holdersOf({ key, before, after }: RowTransition): readonly EntityKey[] {
    const rules = this.#rules
    const [was, is] = [readSource(rules, before), readSource(rules, after)]
    if (!isChanged(rules, was, is)) return []
    const keys = [...holderKeysOf(rules, was), ...holderKeysOf(rules, is)]
    const far = keys.find(({ partitionKey }) => partitionKey !== key.partitionKey)
    if (far !== undefined) throw otherPartition(rules, key, far)
    return keys
  }

  async #update(
    key: EntityKey,
    transitions: readonly RowTransition[],
    { table, options }: KeptCall,
  ): Promise<Change | undefined> {
    const rules = this.#rules
    const stored = await findStored(table, key, options)
    if (stored === undefined) return undefined
    const holder = codecOf(rules.holder).read(stored.raw)
    const target = sourceKeyOf(rules, holder)
    const own = transitions.find((transition) => isSameKey(transition.key, target))
    if (own === undefined) return undefined
    if (fillCopies(rules, holder, readSource(rules, own.after)).length === 0) return undefined
    const body = codecOf(rules.holder).write(holder)
    return { operation: updateEntity, input: { table: table.name, key, body, etag: stored.etag } }
  }
}

function otherPartition({ source, holder }: CopyRules, key: EntityKey, far: EntityKey): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `${holder.title} ${JSON.stringify(far)} is in another partition than its source, ${source.title} ${JSON.stringify(key)}, and a transaction holds one partition. Declare the copies as eventual, with an outbox.`,
  })
}
