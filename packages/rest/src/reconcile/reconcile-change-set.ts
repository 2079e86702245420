import type { EntityKey } from '@rowkey/odata'
import type { ReadResult } from '../request/entity-read.ts'
import type { WriteResult } from '../request/entity-write.ts'
import { type Reconciliation, UNDECIDED, type Witness } from '../request/operation.ts'
import type { Change } from '../transaction/check-change-set.ts'
import { type Evidence, holdsContent, insertedOutput, settleInsert } from './reconcile-entity.ts'

/** The part of an entity group transaction that its outcome depends on. */
interface Changes {
  readonly changes: readonly Change[]
}

/** What the entity of one change shows about all of them. */
interface ChangeEvidence extends Pick<Evidence, 'found'> {
  readonly outcome: Evidence['outcome'] | 'changed'
}

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
    const output: WriteResult[] = []
    let isApplied = false
    for (const change of changes) {
      const { found, outcome } = await evidenceOf(change, witness)
      if (outcome === 'changed') return UNDECIDED
      if (outcome === 'not applied') {
        // What is missing may have been deleted since.
        const isOlder = isInsert(change) && found !== undefined
        return isOlder ? { outcome: 'rejected', error: rejection } : UNDECIDED
      }
      isApplied ||= outcome === 'applied'
      output.push(outcome === 'applied' && found ? insertedOutput(change.input, found) : {})
    }
    return isApplied ? { outcome: 'applied', output } : UNDECIDED
  },

  async resolve({ changes }, witness) {
    const seen = new Set<ChangeEvidence['outcome']>()
    for (const change of changes) {
      const { found, outcome } = await evidenceOf(change, witness)
      // What is missing may have been deleted since.
      if (outcome === 'not applied' && found !== undefined) return outcome
      seen.add(outcome)
    }
    if (!seen.has('applied')) return seen.has('not applied') ? 'not applied' : 'unknown'
    return seen.has('not applied') || seen.has('changed') ? 'unknown' : 'applied'
  },
}

/**
 * Asks an insert for its content, and any other change whether it was certainly not applied, and whether the entity
 * holds what it sent. The row of an insert holds nothing else, and a delete leaves none.
 */
async function evidenceOf(change: Change, witness: Witness): Promise<ChangeEvidence> {
  const { operation, input } = change
  let found: ReadResult | undefined
  // A copy would keep the clock as it is before the read.
  const noting: Witness = Object.assign(Object.create(witness), {
    async entity(table: string, key: EntityKey) {
      found = await witness.entity(table, key)
      return found
    },
  })
  const outcome = await operation.reconcile?.resolve?.(input, noting)
  const isOfInsert = isInsert(change)
  if (outcome === 'not applied' || (isOfInsert && outcome === 'applied')) return { found, outcome }
  const isHeld = found === undefined || (!isOfInsert && holdsContent(input.body, found.raw))
  return { found, outcome: isHeld ? 'unknown' : 'changed' }
}

function isInsert({ operation }: Change): boolean {
  return operation.reconcile?.settle === settleInsert
}
