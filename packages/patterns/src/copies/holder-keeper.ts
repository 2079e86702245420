import {
  codecOf,
  type EntityModel,
  type KeptCall,
  keepersOf,
  type RowKeeper,
  type RowTransition,
} from '@rowkey/mapper'
import type { Change } from '@rowkey/rest'
import { catalogueOf } from '../derived/catalogue.ts'
import { keptOf } from '../derived/keeper.ts'
import { patternsInputError } from '../errors/codes.ts'
import { untouched } from '../rows/changes.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import { NOTHING_KEPT, planAgain } from '../rows/kept-rows.ts'
import { etagOf, findStored, isSameKey } from '../rows/stored-row.ts'
import {
  type CopyRules,
  fillCopies,
  hadSource,
  haveSameCopies,
  readRow,
  sourceKeyOf,
} from './copy-rules.ts'

/** The keeper of one declaration of copies in a holder. */
interface HolderKeeper extends RowKeeper {
  readonly copied: CopyRules
}

/** Returns the declarations of all copies that a model holds in its partition. */
export function copiesIn(holder: EntityModel<object>): readonly CopyRules[] {
  return keepersOf(holder).flatMap((keeper) =>
    'copied' in keeper ? (keeper as HolderKeeper).copied : [],
  )
}

/**
 * Checks the copies that a write of a holder stores. The transaction also depends on the version of the source, so
 * that the copies are right when it is stored.
 */
export function holderKeeper(rules: CopyRules): HolderKeeper {
  return {
    copied: rules,
    touches: () => true,
    async plan(transitions, call) {
      const [kept] = keptOf([rules], catalogueOf(rules.holder), call)
      if (kept === undefined) return NOTHING_KEPT
      const unchecked = transitions.filter((each) => !('isFilled' in each))
      const bound = await Promise.all(unchecked.map((each) => checkCopies(rules, each, call)))
      // Several holders may have one source, and a transaction holds each row once.
      const distinct = new Map(
        bound.flatMap((each) => (each ? [[each.input.key.rowKey, each]] : [])),
      )
      return {
        companions: [...distinct.values()],
        // The source changed since it was read, so the copies are checked again.
        rejected: planAgain,
      }
    },
  }
}

async function checkCopies(
  rules: CopyRules,
  transition: RowTransition,
  { table, written, options }: KeptCall,
): Promise<Change | undefined> {
  const { before, after } = transition
  const codec = codecOf(rules.holder)
  const holder = after && codec.read(after)
  if (holder === undefined) return undefined
  const target = sourceKeyOf(rules, holder)
  const was = before && codec.read(before)
  const isSameSource = hadSource(rules, was, target)
  const isKept = isSameSource && !isMigrated(rules.holder, transition)
  if (was && isKept && haveSameCopies(rules, was, holder)) return undefined
  const own = written.find(({ key }) => isSameKey(key, target))
  const stored = own ? own.after : target && (await findStored(table, target, options))
  const source = readRow(rules.source, stored)
  const wrong = fillCopies(rules, holder, source)
  if (target !== undefined && source === undefined) {
    // A program without the declaration deleted the source, and this write removes the copies.
    if (isSameSource && wrong.length === 0) return undefined
    throw wrongCopy(
      rules,
      holder,
      'does not exist. Insert it first, or leave out the reference to it.',
    )
  }
  if (wrong.length > 0) {
    const problem = `has other values of ${wrong.join(', ')}`
    throw wrongCopy(rules, holder, `${problem}. Call fill of its copies before the write.`)
  }
  if (target === undefined || stored === undefined || own !== undefined) return undefined
  return untouched(table.name, target, etagOf(stored))
}

function wrongCopy({ source, holder: model }: CopyRules, holder: object, problem: string): Error {
  const { partitionKey, rowKey } = codecOf(model).keyOf(holder)
  return patternsInputError({
    code: 'InvalidCopy',
    message: `${model.title} ${JSON.stringify([partitionKey, rowKey])} holds copies of a ${source.title}, and the stored one ${problem}`,
  })
}
