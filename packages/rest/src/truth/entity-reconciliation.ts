import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import type { Judge } from './judge-entity.ts'
import type { Reconciliation } from './reconciliation.ts'

/** How a write of one entity is settled. */
export type EntityReconciliation = Reconciliation<EntityWrite, WriteResult>

/**
 * The reconciliation of a write whose outcome shows in one entity.
 *
 * @param judge - says by the stored entity whether the write was applied
 * @param settle - what a refused repetition means; without it, nothing
 */
export function entityReconciliation(
  judge: Judge,
  settle?: EntityReconciliation['settle'],
): EntityReconciliation {
  return {
    ...(settle && { settle }),
    async resolve(write, witness) {
      const found = await witness.entity(write.table, write.key)
      const outcome = judge(write, found, witness.since)
      // What is stored may have been there long before, where nobody knows the service's clock.
      const isProof = found === undefined || witness.isDated
      return outcome === 'applied' && !isProof ? 'unknown' : outcome
    },
  }
}
