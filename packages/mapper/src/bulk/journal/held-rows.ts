import { AbortError } from '@rowkey/rest'
import { keyText } from '../../errors/compose-errors.ts'
import type { BulkOutcome } from '../bulk-outcome.ts'
import { judgeFailure } from '../judge-failure.ts'
import type { PendingOperation } from '../operation-buffer.ts'
import { subjectOf } from '../transaction-run.ts'

/**
 * The rows with an operation that the next run of the journal sends again. Later operations on them must come after it, so they
 * end without being sent.
 */
export class HeldRows {
  readonly #keys = new Set<string>()

  /** Holds the row of an operation that may succeed when it is sent again as it is. */
  add(outcome: BulkOutcome): void {
    const { key, status } = outcome
    if (key === undefined) return
    const isRepeated = status === 'failed' && judgeFailure(outcome.error, 1).kind !== 'one'
    if (isRepeated || status === 'unknown') this.#keys.add(keyText(key))
  }

  /**
   * Returns the operations that may be sent.
   *
   * @param operations - those of a transaction
   * @param settle - receives how the others end
   */
  notHeld(
    operations: readonly PendingOperation[],
    settle: (outcome: BulkOutcome) => void,
  ): readonly PendingOperation[] {
    if (this.#keys.size === 0) return operations
    const isHeld = ({ change }: PendingOperation) => this.#keys.has(keyText(change.input.key))
    for (const each of operations.filter(isHeld)) {
      const { isInDoubt } = each
      const error = outOfTurn(
        'An earlier operation on the row must be repeated first. Run the same input and journal again.',
        isInDoubt,
      )
      settle({ ...subjectOf(each), status: isInDoubt ? 'unknown' : 'failed', error })
    }
    return operations.filter((each) => !isHeld(each))
  }
}

/** Returns the error of an operation that is not sent, so that the operations on its row keep their order. */
export function outOfTurn(event: string, mayHaveApplied = false): AbortError {
  return new AbortError({ reason: undefined, mayHaveApplied, event })
}
