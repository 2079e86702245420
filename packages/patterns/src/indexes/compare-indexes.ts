import type { EntityModel } from '@rowkey/mapper'
import type { Comparison } from '../derived/compare.ts'
import { FIRST_PAGE, pageComparison } from './compare-pages.ts'
import { isPartitionPlace, partitionComparison } from './compare-partitions.ts'
import type { EntityIndex } from './index-entry.ts'
import type { EntryFollower, IndexScrub } from './settle-row.ts'

/**
 * Makes the comparison of indexes: first those whose entries lie beside their rows, then those in other partitions.
 *
 * @param model - the model of the rows
 * @param follower - returns what brings entries in other partitions in step
 */
export function indexComparison(
  model: EntityModel<object>,
  follower: (scrub: IndexScrub) => EntryFollower,
): Comparison<EntityIndex> {
  const [beside, apart] = [partitionComparison(model), pageComparison(model, follower)]
  return async function* (scrub, from) {
    const near = scrub.definitions.filter(({ isEventual }) => !isEventual)
    const far = scrub.definitions.filter(({ isEventual }) => isEventual)
    const isPlace = from === undefined || far.length === 0 || isPartitionPlace(from)
    const isNear = near.length > 0 && isPlace
    if (isNear) {
      const begin = far.length > 0 ? FIRST_PAGE : undefined
      for await (const part of beside({ ...scrub, definitions: near }, from)) {
        yield { ...part, next: part.next ?? begin }
      }
    }
    if (far.length === 0) return
    for await (const part of apart({ ...scrub, definitions: far }, isNear ? undefined : from)) {
      // The first comparison has counted the rows.
      yield near.length > 0 ? { ...part, rows: 0 } : part
    }
  }
}
