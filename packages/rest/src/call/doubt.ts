import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { AmbiguousWriteError, type Resolution } from '../errors/ambiguous-write-error.ts'
import { BudgetError } from '../errors/budget-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { AuthenticationError, ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { findEntity } from '../operations/get-entity.ts'
import { hasTable } from '../operations/get-table.ts'
import { insertEntity } from '../operations/insert-entity.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import { type Operation, type Settlement, UNDECIDED, type Witness } from '../request/operation.ts'
import { resourceOf } from '../request/resource.ts'
import { isTransient } from '../retry/verdict.ts'
import { withinLimits } from '../sign/within-limits.ts'
import { type Attempts, attempts } from './attempts.ts'
import type { Call } from './call.ts'

/** The output of a write that turned out to be applied. */
interface Settled<Output> {
  readonly output: Awaited<Output>
}

/**
 * Determines the outcome of a rejected attempt after the response to an earlier one was lost.
 *
 * @param made - the attempts, with this one
 * @param error - the error of this attempt
 * @returns `undefined` when nothing is in doubt, when a repetition may help, and when nothing can be decided
 * @throws the error of a write that was not applied; an `AbortError` or {@link DeadlineError} when the call ends first
 */
export async function settleRejection<Input, Output>(
  made: Attempts<Input, Output>,
  error: unknown,
): Promise<Settled<Output> | undefined> {
  const { settle, conclude } = made.operation.reconcile ?? {}
  const decide = conclude ?? settle
  if (!made.inDoubt || decide === undefined || !isFinalRejection(error)) return undefined
  return settled(made, error, decide)
}

function isFinalRejection(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.mayHaveApplied) return false
  return !isTransient({ error, response: undefined })
}

/**
 * Ends a call that makes no further attempt: the operation may still settle an attempt in doubt.
 *
 * @param made - the attempts
 * @param error - the error of the last attempt
 * @returns the output of a write that was applied
 * @throws the error of the call, from {@link finalError} when nothing was settled
 */
export async function concludeCall<Input, Output>(
  made: Attempts<Input, Output>,
  error: unknown,
): Promise<Awaited<Output>> {
  const conclude = made.operation.reconcile?.conclude
  if (made.inDoubt && conclude !== undefined && !(error instanceof AbortError)) {
    const concluded = await settled(made, error, conclude)
    if (concluded !== undefined) return concluded.output
  }
  throw finalError(made, error)
}

/** Settles within the time and by the signal of the call. */
async function settled<Input, Output, Failure>(
  made: Attempts<Input, Output>,
  error: Failure,
  decide: (
    error: Failure,
    input: Input,
    witness: Witness,
  ) => Settlement<Awaited<Output>> | Promise<Settlement<Awaited<Output>>>,
): Promise<Settled<Output> | undefined> {
  const { call, input } = made
  const witness = witnessOf(made, call)
  const { signal } = call
  const settling = withinLimits((async () => decide(error, input, witness))(), { signal })
  const settlement = await settling.catch((failure: unknown) => {
    // The read knows nothing of the write that it was made for.
    if (failure instanceof AbortError) throw made.abortError(failure.cause)
    if (failure instanceof DeadlineError) throw made.deadlineError(error)
    if (failure instanceof BudgetError) throw made.budgetError({ spent: failure.requests }, error)
    return UNDECIDED
  })
  if (settlement.outcome === 'applied') return settlement
  if (settlement.outcome === 'unknown') return undefined
  throw Object.assign(settlement.error, { attempts: made.count })
}

/**
 * Returns the error of a call that makes no further attempt: the error of the last attempt, unless an
 * earlier one may have been applied. Then the error says so, whatever the last attempt says.
 *
 * @param made - the attempts
 * @param error - the error of the last attempt
 */
export function finalError<Input, Output>(made: Attempts<Input, Output>, error: unknown): unknown {
  if (error instanceof DeadlineError || error instanceof BudgetError) return error
  const { count, operation, input, call } = made
  if (error instanceof ServiceError || error instanceof TransportError) error.attempts = count
  if (!made.inDoubt) return error
  if (error instanceof AbortError) return made.abortError(error.cause)
  const resource = resourceOf(input, call.service.endpoint)
  const last = error instanceof Error ? ` The last error: ${error.message}` : ''
  return new AmbiguousWriteError({
    message: `It is unknown whether ${operation.name} of ${resource} was applied, after ${attempts(count)}. Call resolve() to check what is stored.${last}`,
    attempts: count,
    cause: error,
    resolve: () => resolveDoubt(made),
  })
}

/**
 * Determines the outcome of a write in doubt, for `AmbiguousWriteError.resolve`. All of its reads share the deadline of the
 * account: the signal and the deadline of the write may be over.
 *
 * @param made - the attempts to write
 */
async function resolveDoubt<Input, Output>(made: Attempts<Input, Output>): Promise<Resolution> {
  const { operation, input, call } = made
  const witness = witnessOf(made, call.later())
  try {
    const outcome = await operation.reconcile?.resolve?.(input, witness)
    return { outcome: outcome ?? 'unknown' }
  } catch (reason) {
    if (isForbidden(reason)) return { outcome: 'unknown', reason }
    throw reason
  }
}

/** A credential that may write and not read will not be able to read the next time either. */
function isForbidden(error: unknown): boolean {
  if (error instanceof AuthenticationError) return true
  return isRowkeyError(error) && error.code === 'OutsideSasScope'
}

/** Insert Entity, with an existing row as an expected outcome: tells whether the row was stored. */
export const insertUnlessStored: Operation<EntityWrite, boolean> = {
  ...insertEntity,
  expects: ['EntityAlreadyExists'],
  fromResponse: (response) => response.status < 400,
  reconcile: {
    settle: ({ code }) =>
      code === 'EntityAlreadyExists' ? { outcome: 'applied', output: false } : UNDECIDED,
  },
}

/**
 * Makes a witness that reads at the primary, and reads the service's clock from each response.
 *
 * @param made - the attempts to write, which have shown the service's clock
 * @param call - what its reads are part of
 */
function witnessOf<Input, Output>(made: Attempts<Input, Output>, call: Call): Witness {
  const reading = call.plainly().atPrimary()
  const { line } = call.service
  const datedFind: typeof findEntity = {
    ...findEntity,
    fromResponse(response, input) {
      made.readClock(response)
      return findEntity.fromResponse(response, input)
    },
  }
  return {
    get since() {
      return made.since
    },
    get isDated() {
      return made.isDated
    },
    entity: (table, key) => line(reading, datedFind, { table, key }),
    hasTable: (table) => line(reading, hasTable, { table }),
    insert: (row) => line(reading, insertUnlessStored, row),
  }
}
