import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import { BatchError } from '../errors/batch-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import type { WriteResult } from '../request/entity-write.ts'
import {
  type Reconciliation,
  type Settlement,
  UNDECIDED,
  type Witness,
} from '../request/operation.ts'
import type { Change } from '../transaction/check-change-set.ts'
import { settleInsert } from './reconcile-entity.ts'

/** The part of an entity group transaction that its outcome depends on. */
interface Changes {
  readonly changes: readonly Change[]
}

/**
 * The reconciliation of an entity group transaction. All of its changes happen or none, so each change
 * is a witness for all.
 *
 * When a retry is rejected, only inserts settle the outcome. Any other change may as well have been
 * made by another program.
 */
export const changeSetReconciliation: Reconciliation<Changes, WriteResult[]> = {
  async settle(rejection, { changes }, witness) {
    if (!changes.every(isInsert)) return UNDECIDED
    const results: WriteResult[] = []
    for (const { input } of changes) {
      const settlement = await settleInsert(rejection, input, witness)
      if (settlement.outcome === 'rejected') {
        return rejected(rejection, settlement.error.mayHaveApplied)
      }
      if (settlement.outcome === 'unknown') return UNDECIDED
      results.push(settlement.output)
    }
    return { outcome: 'applied', output: results }
  },

  async resolve({ changes }, witness) {
    let seen: WriteOutcome = 'unknown'
    for (const change of changes) {
      const outcome = await outcomeOf(change, witness)
      if (outcome === 'not applied') return outcome
      if (outcome === 'applied' && isInsert(change)) seen = outcome
    }
    return seen
  },
}

async function outcomeOf(
  { operation, input }: Change,
  witness: Witness,
): Promise<WriteOutcome | undefined> {
  return operation.reconcile?.resolve?.(input, witness)
}

/** An entity may have had the content of an upsert before, but never that of an insert. */
function isInsert({ operation }: Change): boolean {
  return operation.reconcile?.settle === settleInsert
}

function rejected(rejection: ServiceError, mayHaveApplied: boolean): Settlement<never> {
  if (!mayHaveApplied || !(rejection instanceof BatchError)) {
    return { outcome: 'rejected', error: rejection }
  }
  const { message, status, code, requestId, operation, index, change } = rejection
  const doubt = 'The response to an earlier attempt was lost; that attempt may have been applied.'
  return {
    outcome: 'rejected',
    error: new BatchError({
      message: `${message}. ${doubt}`,
      ...{ status, code, requestId, operation, mayHaveApplied, index, change },
    }),
  }
}
