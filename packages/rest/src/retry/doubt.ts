import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { AmbiguousWriteError, type Resolution } from '../errors/ambiguous-write-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { AuthenticationError, ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { findEntity } from '../operations/get-entity.ts'
import { hasTable } from '../operations/get-table.ts'
import { insertEntity } from '../operations/insert-entity.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import { type Operation, type Settlement, UNDECIDED, type Witness } from '../request/operation.ts'
import { resourceOf } from '../request/resource.ts'
import { withinLimits } from '../sign/within-limits.ts'
import type { CallOptions } from './call-options.ts'
import { attempts, type CallProgress } from './call-progress.ts'
import { withDeadline } from './deadline.ts'
import type { Call } from './types.ts'
import { isTransient } from './verdict.ts'

/** The output of a write that turned out to be applied. */
interface Settled<Output> {
  readonly output: Awaited<Output>
}

/**
 * Determines the outcome of a rejected attempt after the response to an earlier one was lost.
 *
 * @param call - the call
 * @param progress - its state, with this attempt
 * @param error - the error of this attempt
 * @returns `undefined` when nothing is in doubt, when a repetition may help, and when nothing can be decided
 * @throws the error of a write that was not applied; an `AbortError` or {@link DeadlineError} when the call ends first
 */
export async function settleRejection<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  error: unknown,
): Promise<Settled<Output> | undefined> {
  const { settle, conclude } = call.operation.reconcile ?? {}
  const decide = conclude ?? settle
  if (!progress.inDoubt || decide === undefined || !isFinalRejection(error)) return undefined
  return settled(call, progress, error, decide)
}

function isFinalRejection(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.mayHaveApplied) return false
  return !isTransient({ error, response: undefined })
}

/**
 * Ends a call that makes no further attempt: the operation may still settle an attempt in doubt.
 *
 * @param call - the call
 * @param progress - its state
 * @param error - the error of the last attempt
 * @returns the output of a write that was applied
 * @throws the error of the call, from {@link finalError} when nothing was settled
 */
export async function concludeCall<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  error: unknown,
): Promise<Awaited<Output>> {
  const conclude = call.operation.reconcile?.conclude
  if (progress.inDoubt && conclude !== undefined && !(error instanceof AbortError)) {
    const concluded = await settled(call, progress, error, conclude)
    if (concluded !== undefined) return concluded.output
  }
  throw finalError(call, progress, error)
}

/** Settles within the time and by the signal of the call. */
async function settled<Input, Output, Failure>(
  call: Call<Input, Output>,
  progress: CallProgress,
  error: Failure,
  decide: (
    error: Failure,
    input: Input,
    witness: Witness,
  ) => Settlement<Awaited<Output>> | Promise<Settlement<Awaited<Output>>>,
): Promise<Settled<Output> | undefined> {
  const { signal, timeout, retry, context } = call.options
  const deadline = progress.endsAt === undefined ? undefined : { endsAt: progress.endsAt }
  const options = { signal, timeout, retry, context, deadline }
  const witness = witnessOf(call, options, progress)
  const settling = withinLimits((async () => decide(error, call.input, witness))(), { signal })
  const settlement = await settling.catch((failure: unknown) => {
    // The read knows nothing of the write that it was made for.
    if (failure instanceof AbortError) throw progress.abortError(failure.cause)
    if (failure instanceof DeadlineError) throw progress.deadlineError(error)
    return UNDECIDED
  })
  if (settlement.outcome === 'applied') return settlement
  if (settlement.outcome === 'unknown') return undefined
  throw Object.assign(settlement.error, { attempts: progress.attempts })
}

/**
 * Returns the error of a call that makes no further attempt: the error of the last attempt, unless an
 * earlier one may have been applied. Then the error says so, whatever the last attempt says.
 *
 * @param call - the call
 * @param progress - its state
 * @param error - the error of the last attempt
 */
export function finalError<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  error: unknown,
): unknown {
  if (error instanceof DeadlineError) return error
  if (error instanceof ServiceError || error instanceof TransportError) {
    error.attempts = progress.attempts
  }
  if (!progress.inDoubt) return error
  if (error instanceof AbortError) return progress.abortError(error.cause)
  const resource = resourceOf(call.input, call.service.endpoint)
  const last = error instanceof Error ? ` The last error: ${error.message}` : ''
  return new AmbiguousWriteError({
    message: `It is unknown whether ${call.operation.name} of ${resource} was applied, after ${attempts(progress.attempts)}. Call resolve() to check what is stored.${last}`,
    attempts: progress.attempts,
    cause: error,
    resolve: () => resolveDoubt(call, progress),
  })
}

/**
 * Determines the outcome of a write in doubt, for `AmbiguousWriteError.resolve`. It reads as a call of its own:
 * the signal and the deadline of the write may be over.
 *
 * @param call - the write
 * @param clock - the service's clock, as far as the write has shown it
 */
async function resolveDoubt<Input, Output>(
  call: Call<Input, Output>,
  clock: ServiceClock,
): Promise<Resolution> {
  const { timeout, retry, context } = call.options
  // All of its reads share the deadline of the service.
  const own: CallOptions = { timeout, retry, context }
  const options = withDeadline(own, call.service.defaults)
  const witness = witnessOf(call, options, clock)
  try {
    const outcome = await call.operation.reconcile?.resolve?.(call.input, witness)
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

/** The difference to the service's clock, corrected by responses. */
type ServiceClock = Pick<CallProgress, 'since' | 'isDated' | 'readClock'>

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
 * @param call - the write in doubt
 * @param callOptions - the options of each read
 * @param clock - the service's clock
 */
function witnessOf<Input, Output>(
  { perform }: Call<Input, Output>,
  callOptions: Call['options'],
  clock: ServiceClock,
): Witness {
  const options = { ...callOptions, locationMode: 'primaryOnly', exactWrites: false } as const
  const datedFind: typeof findEntity = {
    ...findEntity,
    fromResponse(response, input) {
      clock.readClock(response)
      return findEntity.fromResponse(response, input)
    },
  }
  return {
    get since() {
      return clock.since
    },
    get isDated() {
      return clock.isDated
    },
    entity: (table, key) => perform(datedFind, { table, key }, options),
    hasTable: (table) => perform(hasTable, { table }, options),
    insert: (row) => perform(insertUnlessStored, row, options),
  }
}
