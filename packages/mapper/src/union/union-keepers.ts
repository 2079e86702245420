import type { KeptSlot } from '../model/kept-slot.ts'
import { type Keeping, keepingOf } from '../table/keep/keeping.ts'
import type { RowKeeper, RowTransition } from '../table/keep/row-keeper.ts'
import type { UnionType } from './union-type.ts'

/**
 * Returns what is kept in step with the rows of a union: of each row what its type keeps.
 *
 * @param types - the types of the union
 * @param only - the type of a table that reads rows of one type
 */
export function unionSlot(types: readonly UnionType[], only?: UnionType): KeptSlot {
  let known: readonly (Keeping | undefined)[] = []
  let joined: Keeping | undefined
  return {
    get keeping() {
      const current = types.map(({ model }) => keepingOf(model.kept))
      if (current.some((each, at) => each !== known[at])) {
        joined = join(types, current, only)
        known = current
      }
      return joined
    },
  }
}

function join(
  types: readonly UnionType[],
  keepings: readonly (Keeping | undefined)[],
  only: UnionType | undefined,
): Keeping | undefined {
  const first = keepings.find((each) => each !== undefined)
  const declared = types.flatMap((type, at) =>
    [...(keepings[at]?.declared ?? [])].map(([keeper, declaration]): [RowKeeper, string] => {
      const path = type === only ? keeper.path : undefined
      return [{ ...ofType(type, keeper), path }, declaration]
    }),
  )
  return first?.of(new Map(declared), true)
}

/** Lets a keeper keep the rows of its type only. */
function ofType(type: UnionType, keeper: RowKeeper): RowKeeper {
  const { uncopied, isShared } = keeper
  return {
    uncopied,
    isShared,
    touches: (names, table) => keeper.touches(names, table),
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

const NO_PLAN = { companions: [], rejected: async (_: number, error: Error) => error }
