import { InputError } from '@rowkey/odata'
import { BatchError, conflictOf, errorClassOf, ServiceError } from '@rowkey/rest'
import { KeptRowConflictError } from '../errors/kept-row-conflict-error.ts'
import type { KeptPlan } from '../keep/row-keeper.ts'
import type { Write } from './write.ts'

/** Returns the error that the caller gets; `undefined` when the writes are to be bound again. */
export async function finalError(
  error: unknown,
  bound: readonly Write[],
  plan: KeptPlan,
): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const refused = bound.find(({ refusal }) => refusal !== undefined)
  if (refused !== undefined && !error.mayHaveApplied) return refused.refusal
  const index = error instanceof BatchError ? error.index : 0
  if (index === undefined) return error
  if (index >= bound.length) return plan.rejected(index - bound.length, error as BatchError)
  const { isFree = false, start } = bound[index] ?? {}
  // A row that was missing when the write was bound is missing for its caller, too.
  const isMissing = error.status === 404 && start === 'stored'
  return isFree && conflictOf(error) !== undefined && !isMissing ? undefined : error
}

/** What was sent until a write gave up. */
interface Attempts {
  readonly table: string
  readonly plan: KeptPlan
  /** How many writes there are, beside the companions of the plan. */
  readonly writes: number
  readonly attempts: number
}

/** Returns the error of a write that gives up. One about a companion names its row, because the caller does not know it. */
export function contention(error: unknown, { table, plan, writes, attempts }: Attempts): unknown {
  const index = error instanceof BatchError ? (error.index ?? -1) - writes : -1
  const companion = plan.companions[index]
  if (companion === undefined) return error
  const { key } = companion.input
  const keptFor = plan.keptFor?.(index) || undefined
  return new KeptRowConflictError({ table, key, keptFor, attempts, cause: error })
}

/** Returns the error of a transaction that is too large together with the companions of its plan. */
export function tooMany(table: string, writes: number, total: number): InputError {
  return new InputError({
    code: 'InvalidBatch',
    message:
      `The batch of ${writes} changes in table ${table} needs ${total} operations together with its index rows, counts and messages, ` +
      'and a transaction has at most 100. Split it, or declare fewer patterns.',
  })
}

/**
 * Returns the error that a write would have had alone, for a write that was sent in one transaction with
 * the rows of its keepers. Any other error stays as it is.
 */
export function singleError(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.index !== 0) return error
  const { message, status, code, requestId, mayHaveApplied, change } = error
  const operation = change?.operation ?? error.operation
  const Single = errorClassOf(status, code)
  const single = new Single({ message, status, code, requestId, operation, mayHaveApplied })
  single.attempts = error.attempts
  return single
}
