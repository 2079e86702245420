import type { ReadResult } from '../request/entity-read.ts'
import type { WriteResult } from '../request/entity-write.ts'
import { type Reconciliation, UNDECIDED, type Witness } from '../request/operation.ts'
import type { Change } from '../transaction/check-change-set.ts'
import {
  holdsContent,
  type InsertEvidence,
  settleInsert,
  witnessInsert,
} from './reconcile-entity.ts'

/** The part of an entity group transaction that its outcome depends on. */
interface Changes {
  readonly changes: readonly Change[]
}

/** The state of a transaction in doubt that one of its changes shows. */
type Evidence =
  | InsertEvidence
  | { readonly outcome: 'not applied' | 'changed' | 'unknown'; readonly output?: undefined }

/**
 * The reconciliation of an entity group transaction. All of its changes happen or none, so each change
 * is a witness for all.
 *
 * Only an insert can prove that the transaction was applied: an entity may have had the content of an
 * update before, but never that of an insert. An entity that is older than the call proves that it was not.
 * A change that contradicts the others leaves the outcome open. So does an entity without the content that
 * a change sent: another program may have changed it since, or may have inserted the same entity before.
 */
export const changeSetReconciliation: Reconciliation<Changes, WriteResult[]> = {
  async settle(rejection, { changes }, witness) {
    if (!changes.some(isInsert)) return UNDECIDED
    const seen: Evidence[] = []
    for (const change of changes) {
      const evidence = await evidenceOf(change, witness)
      if (evidence.outcome === 'older') return { outcome: 'rejected', error: rejection }
      if (isAgainst(evidence) || evidence.outcome === 'changed') return UNDECIDED
      seen.push(evidence)
    }
    if (!seen.some(({ outcome }) => outcome === 'applied')) return UNDECIDED
    return { outcome: 'applied', output: seen.map(({ output }) => output ?? {}) }
  },

  async resolve({ changes }, witness) {
    const seen = new Set<Evidence['outcome']>()
    for (const change of changes) {
      const evidence = await evidenceOf(change, witness)
      if (evidence.outcome === 'older' || isAgainst(evidence)) return 'not applied'
      seen.add(evidence.outcome)
    }
    return seen.has('applied') && !seen.has('changed') ? 'applied' : 'unknown'
  },
}

/**
 * Asks an insert for its content, and any other change whether it was certainly not applied, and whether the entity
 * holds what it sent.
 */
async function evidenceOf(change: Change, witness: Witness): Promise<Evidence> {
  const { operation, input } = change
  if (isInsert(change)) return witnessInsert(input, witness)
  let found: ReadResult | undefined
  const noting: Witness = {
    ...witness,
    entity: async (table, key) => {
      found = await witness.entity(table, key)
      return found
    },
  }
  const outcome = await operation.reconcile?.resolve?.(input, noting)
  if (outcome === 'not applied') return { outcome }
  const isDelete = input.body === ''
  const isHeld = found === undefined || isDelete || holdsContent(input.body, found.raw)
  return { outcome: isHeld ? 'unknown' : 'changed' }
}

/** What is missing may never have been stored, or may have been deleted since. */
function isAgainst({ outcome }: Evidence): boolean {
  return outcome === 'missing' || outcome === 'not applied'
}

function isInsert({ operation }: Change): boolean {
  return operation.reconcile?.settle === settleInsert
}
