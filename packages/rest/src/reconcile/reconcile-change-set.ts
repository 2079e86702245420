import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import type { WriteResult } from '../request/entity-write.ts'
import { type Reconciliation, UNDECIDED, type Witness } from '../request/operation.ts'
import type { Change } from '../transaction/check-change-set.ts'
import { insertReconciliation } from './entity-reconciliation.ts'
import { type InsertEvidence, witnessInsert } from './reconcile-entity.ts'

/** The part of an entity group transaction that its outcome depends on. */
interface Changes {
  readonly changes: readonly Change[]
}

/** The state of a transaction in doubt that one of its changes shows. */
type Evidence =
  | InsertEvidence
  | { readonly outcome: 'not applied' | 'unknown'; readonly output?: undefined }

/**
 * The reconciliation of an entity group transaction. All of its changes happen or none, so each change
 * is a witness for all.
 *
 * Only an insert can prove that the transaction was applied: an entity may have had the content of an
 * update before, but never that of an insert. An entity that is older than the call proves that it was
 * not. A change that speaks against the others leaves the outcome open.
 */
export const changeSetReconciliation: Reconciliation<Changes, WriteResult[]> = {
  async settle(rejection, { changes }, witness) {
    if (!changes.some(isInsert)) return UNDECIDED
    const seen: Evidence[] = []
    for (const change of changes) {
      const evidence = await evidenceOf(change, witness)
      if (evidence.outcome === 'older') return { outcome: 'rejected', error: rejection }
      if (isAgainst(evidence)) return UNDECIDED
      seen.push(evidence)
    }
    if (!seen.some(({ outcome }) => outcome === 'applied')) return UNDECIDED
    return { outcome: 'applied', output: seen.map(({ output }) => output ?? {}) }
  },

  async resolve({ changes }, witness) {
    let seen: WriteOutcome = 'unknown'
    for (const change of changes) {
      const evidence = await evidenceOf(change, witness)
      if (evidence.outcome === 'older' || isAgainst(evidence)) return 'not applied'
      if (evidence.outcome === 'applied') seen = 'applied'
    }
    return seen
  },
}

/**
 * Asks an insert for its content, and any other change only whether it was certainly not applied.
 */
async function evidenceOf(change: Change, witness: Witness): Promise<Evidence> {
  const { operation, input } = change
  if (isInsert(change)) return witnessInsert(input, witness)
  const outcome = await operation.reconcile?.resolve?.(input, witness)
  return { outcome: outcome === 'not applied' ? outcome : 'unknown' }
}

/** What is missing may never have been stored, or may have been deleted since. */
function isAgainst({ outcome }: Evidence): boolean {
  return outcome === 'missing' || outcome === 'not applied'
}

function isInsert({ operation }: Change): boolean {
  return operation.reconcile?.settle === insertReconciliation.settle
}
