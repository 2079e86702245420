import {
  codecOf,
  type KeptCall,
  type KeptPlan,
  type RowKeeper,
  type RowTransition,
} from '@rowkey/mapper'
import { type Change, mergeEntity } from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import { findStored } from '../rows/stored-row.ts'
import {
  type CopyRules,
  fillCopies,
  haveSameCopies,
  isFilled,
  isSameKey,
  readSource,
  sourceKeyOf,
} from './copy-rules.ts'

/**
 * Checks the copies that a write of a holder stores. The transaction also depends on the version of the source, so
 * that the copies are right when it is stored.
 */
export class HolderKeeper implements RowKeeper {
  readonly #rules: CopyRules

  /** @param rules - how copies are made */
  constructor(rules: CopyRules) {
    this.#rules = rules
  }

  touches(): boolean {
    return true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const unchecked = transitions.filter((each) => !isFilled(each))
    const bound = await Promise.all(unchecked.map((each) => this.#check(each, call)))
    // Several holders may have one source, and a transaction holds each row once.
    const distinct = new Map(bound.flatMap((each) => (each ? [[each.input.key.rowKey, each]] : [])))
    return {
      companions: [...distinct.values()],
      // The source changed since it was read, so the copies are checked again.
      rejected: async (_, error) => ([404, 412].includes(error.status) ? undefined : error),
    }
  }

  async #check(
    transition: RowTransition,
    { table, options }: KeptCall,
  ): Promise<Change | undefined> {
    const { before, after } = transition
    const rules = this.#rules
    const codec = codecOf(rules.holder)
    const holder = after && codec.read(after)
    if (holder === undefined) return undefined
    const target = sourceKeyOf(rules, holder)
    const was = before && codec.read(before)
    const isSameSource = was !== undefined && isSameKey(sourceKeyOf(rules, was), target)
    const isKept = isSameSource && !isMigrated(rules.holder, transition)
    if (isKept && haveSameCopies(rules, was, holder)) return undefined
    const stored = target && (await findStored(table, target, options))
    const source = readSource(rules, stored?.raw)
    const wrong = fillCopies(rules, holder, source)
    if (target !== undefined && source === undefined) {
      // A program without the declaration deleted the source, and this write removes the copies.
      if (isSameSource && wrong.length === 0) return undefined
      throw this.#wrong(
        holder,
        'does not exist. Insert it first, or leave out the reference to it.',
      )
    }
    if (wrong.length > 0) {
      const problem = `has other values of ${wrong.join(', ')}`
      throw this.#wrong(holder, `${problem}. Call fill of its copies before the write.`)
    }
    if (target === undefined || stored === undefined) return undefined
    const { partitionKey: PartitionKey, rowKey: RowKey } = target
    const body = JSON.stringify({ PartitionKey, RowKey })
    const input = { table: table.name, key: target, body, etag: stored.etag }
    return { operation: mergeEntity, input }
  }

  #wrong(holder: object, problem: string): Error {
    const { source, holder: model } = this.#rules
    const { partitionKey, rowKey } = codecOf(model).keyOf(holder)
    return patternsInputError({
      code: 'InvalidCopy',
      message: `${model.title} ${JSON.stringify([partitionKey, rowKey])} holds copies of a ${source.title}, and the stored one ${problem}`,
    })
  }
}
