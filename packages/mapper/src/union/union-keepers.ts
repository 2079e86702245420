import { and, beginsOtherwise, type FilterNode, or } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { KeptSlot } from '../model/kept-slot.ts'
import { type Keeping, keepingOf } from '../table/keep/keeping.ts'
import type { RowKeeper, RowTransition } from '../table/keep/row-keeper.ts'
import { keyFilter, typeFilter } from '../table/read/query-model-of.ts'
import { beginningOf, canBeBoth, type UnionType } from './union-type.ts'

/**
 * Returns what is kept in step with the rows of a union: of each row what its type keeps.
 *
 * @param types - the types of the union
 * @param hasOthers - whether rows of other types belong to it, too
 * @param only - the type of a table that reads rows of one type
 */
export function unionSlot(
  types: readonly UnionType[],
  hasOthers: boolean,
  only?: UnionType,
): KeptSlot {
  let known: readonly (Keeping | undefined)[] = []
  let joined: Keeping | undefined
  return {
    get keeping() {
      const current = types.map(({ model }) => keepingOf(model.kept))
      if (current.some((each, at) => each !== known[at])) {
        joined = join(types, current, hasOthers, only)
        known = current
      }
      return joined
    },
  }
}

function join(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
  hasOthers: boolean,
  only: UnionType | undefined,
): Keeping | undefined {
  const first = keepings.find((each) => each !== undefined)
  for (const type of types) checkKept(type, types, keepings)
  const declared = types.flatMap((type, at) =>
    [...(keepings[at]?.declared ?? [])].map(([keeper, declaration]): [RowKeeper, string] => {
      const path = type === only ? keeper.path : undefined
      return [{ ...ofType(type, types, keeper), path }, declaration]
    }),
  )
  const rows = rowsOf(types, keepings, hasOthers, only)
  return first?.of(new Map([[{ ...KEEPS_NOTHING, rows }, 'union'], ...declared]))
}

/** Rejects rows kept beside a type that could be taken for entities of another one. */
function checkKept(
  type: UnionType,
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
): void {
  for (const [at, other] of types.entries()) {
    if (other === type || !shares(other, type)) continue
    const { text: own, isWhole } = beginningOf(other.model.rowKey)
    const theirs = beginningsIn(keepings[at])
    // What is built or counted of a type follows all rows that begin like its entities, and it knows only what the type itself keeps.
    const isFollowed = (text: string) =>
      own !== '' && !isWhole && text.startsWith(own) && !theirs.includes(text)
    const kept = beginningsIn(keepings[types.indexOf(type)]).find(
      (text) => own.startsWith(text) || (theirs.length > 0 && isFollowed(text)),
    )
    if (kept !== undefined) {
      throw new ModelError({
        className: other.model.title,
        problem: `In a union with ${type.model.title}, its RowKeys begin with '${own}', and rows that are kept beside ${type.model.title} with '${kept}': they could be taken for its entities. Choose another beginning for one of the two.`,
      })
    }
  }
}

/** Lets a keeper keep the rows of its type only, and check all rows but those whose keys tell them from what is kept. */
function ofType(type: UnionType, types: readonly UnionType[], keeper: RowKeeper): RowKeeper {
  const { uncopied, isShared, beginnings = [] } = keeper
  const has = ({ key, before, after }: RowTransition, each: UnionType): boolean => {
    const row = after ?? before
    return row === undefined ? each.hasKey(key.partitionKey, key.rowKey) : each.hasRow(row)
  }
  return {
    uncopied,
    isShared,
    touches: (names, table) => keeper.touches(names, table),
    check(transitions) {
      const others = types.filter((each) => each !== type && hasOtherKeys(each, type, beginnings))
      keeper.check?.(transitions.filter((row) => !others.some((each) => has(row, each))))
    },
    async plan(transitions, call) {
      const own = transitions.flatMap((row) => partOf(row, type))
      return own.length === 0 ? NO_PLAN : keeper.plan(own, call)
    },
  }
}

/** Returns what a write does to the rows of a type. Where only a mark tells types apart, a row of another type may take the key of one. */
function partOf(row: RowTransition, type: UnionType): readonly RowTransition[] {
  const [before, after] = [row.before, row.after].map((raw) =>
    raw !== undefined && type.hasRow(raw) ? raw : undefined,
  )
  return before === undefined && after === undefined ? [] : [{ ...row, before, after }]
}

/** Tells whether the keys of a type tell its rows from those that are kept beside another type; a discriminator alone does not. */
function hasOtherKeys(type: UnionType, other: UnionType, beginnings: readonly string[]): boolean {
  const own = type.model.rowKey.prefix({})
  const isOther = own !== '' && longer(beginnings, own).length === 0
  return isOther || !shares(type, other)
}

/** Returns the texts that begin with a text and go on. */
function longer(texts: readonly string[], text: string): readonly string[] {
  return texts.filter((each) => each !== text && each.startsWith(text))
}

const NO_PLAN = { companions: [], rejected: async (_: number, error: Error) => error }
const KEEPS_NOTHING: RowKeeper = { touches: () => false, plan: async () => NO_PLAN }

/** The condition that all rows meet but those that keepers store; `undefined` when they store none. */
function othersOf(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
): FilterNode | undefined {
  const beginnings = keepings.flatMap(beginningsIn)
  if (beginnings.length === 0) return undefined
  const others = and(...beginnings.map((text) => beginsOtherwise('RowKey', text)))
  // A row that only a type can have is not one that is kept beside another type, whatever its key begins with.
  const own = types.flatMap((type) => conditionOf(type, types, keepings) ?? [])
  return or(others, ...own)
}

/** The condition that the rows of the types meet, or of one of them, and rows that keepers store beside them do not. */
function rowsOf(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
  hasOthers: boolean,
  only: UnionType | undefined,
): FilterNode | undefined {
  if (only !== undefined) return conditionOf(only, types, keepings)
  if (hasOthers) return othersOf(types, keepings)
  const all = types.map((type) => conditionOf(type, types, keepings))
  return all.includes(undefined) ? undefined : or(...all.flatMap((each) => each ?? []))
}

/** What the RowKeys of the rows that keepers store begin with. */
function beginningsIn(keeping: Keeping | undefined): readonly string[] {
  const keepers = [...(keeping?.declared.keys() ?? [])]
  return [...new Set(keepers.flatMap(({ beginnings = [] }) => beginnings))]
}

/** The condition that only the rows of a type meet, and not those that are kept beside any type; `undefined` without one. */
function conditionOf(
  type: UnionType,
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
): FilterNode | undefined {
  const { rowKey, partitionKey } = type.model
  const all = [keyFilter('PartitionKey', partitionKey) ?? []].flat()
  const keys = keyFilter('RowKey', rowKey)
  if (keys !== undefined) {
    const near = types.flatMap((each, at) => (shares(each, type) ? beginningsIn(keepings[at]) : []))
    const others = new Set(longer(near, rowKey.prefix({})))
    return and(...all, keys, ...Array.from(others, (text) => beginsOtherwise('RowKey', text)))
  }
  const own = keepings[types.indexOf(type)]
  all.push(...[...(own?.declared.keys() ?? [])].flatMap(({ rows }) => rows ?? []))
  all.push(...[typeFilter(type.model) ?? []].flat())
  return all.length === 0 ? undefined : and(...all)
}

/** Tells whether rows of two types may be in one partition. */
function shares({ model: one }: UnionType, { model: other }: UnionType): boolean {
  return canBeBoth(beginningOf(one.partitionKey), beginningOf(other.partitionKey))
}
