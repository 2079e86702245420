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

/** What is needed of an entity group transaction. */
interface Changes {
  readonly changes: readonly Change[]
}

/**
 * The reconciliation of an entity group transaction. Since all its changes happen or none, each of
 * them is a witness for all.
 *
 * Inserts alone are settled when a repetition is refused. A transaction with any other change is not,
 * since what it finds may as well be the work of someone else.
 */
export const changeSetReconciliation: Reconciliation<Changes, WriteResult[]> = {
  async settle(refusal, { changes }, witness) {
    if (!changes.every(isInsert)) return UNDECIDED
    const results: WriteResult[] = []
    for (const { input } of changes) {
      const settlement = await settleInsert(refusal, input, witness)
      if (settlement.outcome === 'refused') return refused(refusal, settlement.error.mayHaveApplied)
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

function refused(refusal: ServiceError, mayHaveApplied: boolean): Settlement<never> {
  if (!mayHaveApplied || !(refusal instanceof BatchError)) {
    return { outcome: 'refused', error: refusal }
  }
  const { message, status, code, requestId, operation, index, change } = refusal
  const doubt = 'The answer to an earlier attempt was lost; it may have been applied.'
  return {
    outcome: 'refused',
    error: new BatchError({
      message: `${message}. ${doubt}`,
      ...{ status, code, requestId, operation, mayHaveApplied, index, change },
    }),
  }
}
