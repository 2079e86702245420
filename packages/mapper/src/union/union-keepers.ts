import type { RawEntity } from '@rowkey/odata'
import { type Keepers, keepersIn } from '../keep/keepers.ts'
import type { KeptSlot } from '../model/kept-slot.ts'
import type { UnionType } from './union-type.ts'

/**
 * Returns what is kept in step with the rows of a union: of each row what its type keeps.
 *
 * @param types - the types of the union
 * @param only - the type of a table that reads rows of one type
 */
export function unionSlot(types: readonly UnionType[], only?: UnionType): KeptSlot {
  let known: readonly (Keepers | undefined)[] = []
  let joined: Keepers | undefined
  return {
    get keepers() {
      const current = types.map(({ model }) => keepersIn(model.kept))
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
  ofTypes: readonly (Keepers | undefined)[],
  only: UnionType | undefined,
): Keepers | undefined {
  const first = ofTypes.find((each) => each !== undefined)
  const declared = types.flatMap((type, at) =>
    (ofTypes[at]?.declared ?? []).map((each) => ({
      ...each,
      hasRow: (raw: RawEntity) => type.hasRow(raw),
      hasOthers: type !== only,
    })),
  )
  return first?.with(declared, true)
}
