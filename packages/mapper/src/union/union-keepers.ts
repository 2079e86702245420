import { and, beginsOtherwise, beginsWith, type FilterNode, or } from '@rowkey/odata'
import type { KeptSlot } from '../model/kept-slot.ts'
import { type Keeping, keepingOf } from '../table/keep/keeping.ts'
import type { RowKeeper, RowTransition } from '../table/keep/row-keeper.ts'
import type { UnionType } from './union-type.ts'

/**
 * Returns what is kept in step with the rows of a union: of each row what its type keeps.
 *
 * @param types - the types of the union
 * @param hasOthers - whether rows of other types belong to it, too
 */
export function unionSlot(types: readonly UnionType[], hasOthers: boolean): KeptSlot {
  let known: readonly (Keeping | undefined)[] = []
  let joined: Keeping | undefined
  return {
    get keeping() {
      const current = types.map(({ model }) => keepingOf(model.kept))
      if (current.some((each, at) => each !== known[at])) {
        known = current
        joined = join(types, current, hasOthers)
      }
      return joined
    },
  }
}

function join(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
  hasOthers: boolean,
): Keeping | undefined {
  const first = keepings.find((each) => each !== undefined)
  const declared = types.flatMap((type, at) =>
    [...(keepings[at]?.declared ?? [])].map(
      ([keeper, declaration]) => [ofType(type, types, keeper), declaration] as const,
    ),
  )
  const rows = hasOthers ? othersOf(keepings) : rowsOf(types, keepings)
  return first?.of(new Map([[{ ...KEEPS_NOTHING, rows }, 'union'], ...declared]))
}

/** Lets a keeper keep the rows of its type only, and check them and those of undeclared types. */
function ofType(type: UnionType, types: readonly UnionType[], keeper: RowKeeper): RowKeeper {
  const { uncopied, isShared } = keeper
  const has = ({ before, after }: RowTransition, each: UnionType): boolean => {
    const row = after ?? before
    return row !== undefined && each.hasRow(row)
  }
  return {
    uncopied,
    isShared,
    touches: (names, table) => keeper.touches(names, table),
    check(transitions) {
      const others = types.filter((each) => each !== type)
      keeper.check?.(transitions.filter((row) => !others.some((each) => has(row, each))))
    },
    async plan(transitions, call) {
      const own = transitions.filter((row) => has(row, type))
      return own.length === 0 ? NO_PLAN : keeper.plan(own, call)
    },
  }
}

const NO_PLAN = { companions: [], rejected: async (_: number, error: Error) => error }
const KEEPS_NOTHING: RowKeeper = { touches: () => false, plan: async () => NO_PLAN }

/** The condition that all rows meet but those that keepers store; `undefined` when they store none. */
function othersOf(keepings: readonly (Keeping | undefined)[]): FilterNode | undefined {
  const keepers = keepings.flatMap((keeping) => [...(keeping?.declared.keys() ?? [])])
  const beginnings = new Set(keepers.flatMap(({ beginnings: own = [] }) => own))
  return beginnings.size === 0
    ? undefined
    : and(...Array.from(beginnings, (text) => beginsOtherwise('RowKey', text)))
}

/** The condition that rows of a type meet, and rows that keepers store beside them do not. */
function rowsOf(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
): FilterNode | undefined {
  const own: FilterNode[] = []
  const others: FilterNode[] = []
  for (const [at, { model }] of types.entries()) {
    const beginning = model.rowKey.prefix({})
    if (beginning !== '') own.push(beginsWith('RowKey', beginning))
    else {
      const conditions = [...(keepings[at]?.declared.keys() ?? [])].flatMap(
        ({ rows }) => rows ?? [],
      )
      if (conditions.length === 0) return undefined
      others.push(...conditions)
    }
  }
  return or(...own, ...(others.length > 0 ? [and(...others)] : []))
}
