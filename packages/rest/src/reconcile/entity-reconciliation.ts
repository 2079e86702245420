import { partNotLoaded } from '../errors/part-not-loaded.ts'
import type { EntityWrite, EntityWriteName, WriteResult } from '../request/entity-write.ts'
import { type Reconciliation, UNDECIDED } from '../request/operation.ts'

type EntityReconciliation = Reconciliation<EntityWrite, WriteResult>

/**
 * Returns the reconciliation of a write of one entity. Few writes lose their response, so its code is loaded
 * with the first of them; where that fails, the outcome stays unknown.
 *
 * @param name - the name of the operation
 */
export function entityReconciliation(name: EntityWriteName): EntityReconciliation {
  const load = async (): Promise<EntityReconciliation> =>
    (await import('./reconcile-entity.ts').catch(partNotLoaded)).entityReconciliations[name]
  return {
    settle: async (...rejected) => (await load()).settle?.(...rejected) ?? UNDECIDED,
    resolve: async (...write) => (await load()).resolve?.(...write) ?? 'unknown',
  }
}

/** The reconciliation of inserts, which are the best witnesses of a transaction. */
export const insertReconciliation: EntityReconciliation = entityReconciliation('insertEntity')
