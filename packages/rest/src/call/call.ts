import type { Endpoint } from '../endpoint/endpoint.ts'
import type { TransportError } from '../errors/transport-error.ts'
import type { CloseOptions, Transport } from '../http/transport.ts'
import { closedAccountError } from '../http/transport-errors.ts'
import type { AttemptResult, CallListener } from '../observe/call-event.ts'
import type { OperationContext } from '../observe/operation-context.ts'
import { type RequestBudget, type Spending, spendingsOf } from '../observe/request-budget.ts'
import type { Operation } from '../request/operation.ts'
import type { ClockSkew } from '../retry/clock-skew.ts'
import { checkReads, type LocationMode } from '../retry/itinerary.ts'
import type { OwnTables } from '../retry/own-tables.ts'
import type { RegionMemory } from '../retry/region-memory.ts'
import type { RetryBudget } from '../retry/retry-budget.ts'
import type { FailedAttempt, RetryPolicy } from '../retry/retry-policies.ts'
import type { Credential } from '../sign/credential.ts'
import { onAbort } from '../wait/on-abort.ts'
import type { Sleep } from '../wait/sleep.ts'
import { type CallOptions, callOptions } from './call-options.ts'
import { conflictDelay } from './conflict-delay.ts'
import type { Deadline } from './deadline.ts'
import type { OpenCalls, Whole } from './open-calls.ts'
import { untilEnded } from './until-ended.ts'

/** An account's table service: where to send, as whom, and how. {@link perform} sends with it. */
export interface TableService {
  /** The account. */
  readonly endpoint: Endpoint
  /**
   * Tells accounts apart: equal for services of one account, whatever their credentials. A service over the
   * caller's own transport counts as the account of that transport, since it may lead anywhere.
   */
  readonly accountId: string
  /** Proves the identity of the caller. */
  readonly credential: Credential
  /** Carries the requests. */
  readonly transport: Transport
  /** Decides whether and when to retry, unless the call has a policy of its own. */
  readonly retry: RetryPolicy
  /** Bounds the retries of all calls together; `undefined` for no bound. */
  readonly retryBudget: RetryBudget | undefined
  /** Milliseconds for one attempt, unless the call says otherwise. */
  readonly timeout: number
  /** Milliseconds for a whole call, unless the call says otherwise; `undefined` for no limit. */
  readonly deadline: number | undefined
  /** How many requests a whole call may make, unless the call says otherwise; `undefined` for no limit. */
  readonly budget: RequestBudget | undefined
  /** Where reads go, unless the call says otherwise. */
  readonly locationMode: LocationMode
  /** Milliseconds after which reads are hedged, unless the call says otherwise; `undefined` for never. */
  readonly hedgeAfter: number | undefined
  /** Whether writes are exact, unless the call says otherwise. */
  readonly exactWrites: boolean
  /** Records the attempts of every call that has no context of its own. */
  readonly context: OperationContext | undefined
  /** Receives each attempt after it has ended. */
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  /** Receives the events of calls as they happen. */
  readonly onEvent: CallListener | undefined
  /** Returns the time of the clock: milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, by a clock that is never set. */
  readonly steadyNow: () => number
  /** Returns a number from 0 up to but not including 1, which spreads the waits of clients. */
  readonly random: () => number
  /** Waits for a number of milliseconds, or until the signal aborts or the account is closed. */
  readonly sleep: Sleep
  /** Aborts when the account is closed. */
  readonly closing: AbortSignal
  /** Returns a new id for a call. */
  readonly newId: () => string
  /** The `User-Agent` of every request; `undefined` for none. */
  readonly userAgent: string | undefined
  /** Corrects this machine's clock once responses have shown that it is wrong. */
  readonly skew: ClockSkew
  /** Tables created through this service a moment ago, which the whole service may not know yet. */
  readonly ownTables: OwnTables
  /** @internal Remembers which locations failed a moment ago. */
  readonly regions: RegionMemory
  /** @internal Counts the calls that closing waits for. */
  readonly openCalls: OpenCalls
  /** @internal Makes the requests of one operation. */
  readonly line: Line
  /**
   * Returns the operation in the form that this service needs: see `percentKeys` of the options.
   *
   * @param operation - any operation
   */
  asSent<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output>
  /**
   * Runs one call of the caller's that makes several requests: its deadline begins now and covers all of them, and closing with
   * `drain` waits for the last.
   *
   * @param options - the caller's
   * @param where - the function that the caller called, for messages
   * @param work - makes the requests
   * @throws InputError for invalid options, and TransportError (`AccountClosed`) when the account is closing
   *
   * @example
   * ```ts
   * await service.call({ deadline: 2_000 }, 'rename', async (call) => {
   *   const { raw } = await call.perform(getEntity, { table, key })
   *   await call.perform(insertEntity, renamed(raw))
   * })
   * ```
   */
  call<Output>(
    options: CallOptions,
    where: string,
    work: (call: Call) => Promise<Output>,
  ): Promise<Output>
  /**
   * Begins a call as {@link TableService.call} does, for a loop that ends it by {@link Call.end}.
   *
   * @param options - the caller's
   * @param where - the function that the caller called, for messages
   */
  begin(options: CallOptions, where: string): Call
  /**
   * Closes the transport. Pending calls end at once, unless `drain` is set; later calls fail.
   *
   * @param options - whether to complete pending calls first, with their retries and the following requests of
   * queries and bulk writes; a later `close()` ends this wait
   */
  close(options?: CloseOptions): Promise<void>
}

/** Makes the requests of one operation, as part of a call: `perform.ts`. */
export type Line = <Input, Output>(
  call: Call,
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<Awaited<Output>>

/** Receives each failed attempt that the retry policy was asked about, and the milliseconds that it decided to wait. */
export type FailureListener = (failed: FailedAttempt, delay: number | undefined) => void

/** What a call has beside its account. */
interface CallParts {
  readonly options: CallOptions
  readonly endsAt: number
  readonly whole: Whole
  readonly isInParts: boolean
  readonly onFailed: FailureListener | undefined
  readonly spendings: readonly Spending[]
}

/**
 * One call of the caller's: its options, its deadline, and the requests that it makes. The options are read here and nowhere
 * else, so every request of the call gets all of them.
 */
export class Call implements Deadline {
  /** The account. */
  readonly service: TableService
  readonly #parts: CallParts

  /**
   * @param service - the account
   * @param parts - the options, and what calls within a call share
   * @internal
   */
  constructor(service: TableService, parts: CallParts) {
    this.service = service
    this.#parts = parts
  }

  /** When it must be over: milliseconds since 1970, UTC, on this machine; `Infinity` without a deadline. */
  get endsAt(): number {
    return this.#parts.endsAt
  }

  /** @internal The call of the caller's that it is, or is part of. */
  get whole(): Whole {
    return this.#parts.whole
  }

  /** @internal Whether the deadline bounds each part of it. */
  get isInParts(): boolean {
    return this.#parts.isInParts
  }

  /** @internal Receives failed attempts. */
  get onFailed(): FailureListener | undefined {
    return this.#parts.onFailed
  }

  /** @internal What its requests are counted against. */
  get spendings(): readonly Spending[] {
    return this.#parts.spendings
  }

  /** The caller's options. A function that takes options makes its requests as part of this call when it gets these. */
  get options(): CallOptions {
    return { ...this.#parts.options, deadline: this }
  }

  /** The caller's options, as they are. */
  get given(): CallOptions {
    return this.#parts.options
  }

  /** Ends the call when it aborts. */
  get signal(): AbortSignal | undefined {
    return this.#parts.options.signal
  }

  /** Milliseconds until the deadline; `Infinity` without one. */
  get left(): number {
    return this.endsAt - this.service.now()
  }

  /**
   * Performs one operation: makes its request, sends it with retries, and reads the response.
   *
   * @param operation - the operation
   * @param input - its input
   */
  perform<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<Awaited<Output>> {
    return this.run(() => this.service.line(this.part(), operation, input))
  }

  /** Returns the same call with other options for some of its requests. */
  with(changes: Omit<CallOptions, 'deadline'>): Call {
    return this.#derived({ options: { ...this.#parts.options, ...changes } })
  }

  /** Returns the same call at the primary location: a copy in a second region lags behind. */
  atPrimary(): Call {
    return this.with({ locationMode: 'primaryOnly' })
  }

  /** Returns the same call for writes that are not exact. */
  plainly(): Call {
    return this.with({ exactWrites: false, idempotencyKey: undefined })
  }

  /** Returns the same call for requests that another signal ends, too. */
  until(other: AbortSignal): Call {
    const { signal } = this
    return this.with({ signal: signal ? AbortSignal.any([signal, other]) : other })
  }

  /** Returns the same call for requests whose failed attempts are observed. */
  observed(onFailed: FailureListener): Call {
    const outer = this.#parts.onFailed
    return this.#derived({
      onFailed: (failed, delay) => {
        outer?.(failed, delay)
        onFailed(failed, delay)
      },
    })
  }

  /** @internal Returns the same call for requests after its end, which have only the deadline of the account. */
  later(): Call {
    const options = { ...this.#parts.options, signal: undefined, deadline: undefined }
    return this.#derived({ options, endsAt: endOf(this.service, undefined), spendings: [] })
  }

  /** Whether the caller gave a deadline, and not only the account. */
  get hasDeadline(): boolean {
    const { deadline } = this.#parts.options
    return isCall(deadline) && deadline.isInParts ? deadline.hasDeadline : deadline !== undefined
  }

  /** Returns the same call, but the deadline bounds each part of it, and not all of them together. */
  inParts(): Call {
    return this.#derived({ isInParts: true, endsAt: Number.POSITIVE_INFINITY })
  }

  /** Begins a part of a call in parts, whose deadline begins now; returns any other call as it is. */
  part(): Call {
    return this.isInParts ? checkedCall(this.service, this.options) : this
  }

  #derived(changes: Partial<CallParts>): Call {
    return new Call(this.service, { ...this.#parts, ...changes })
  }

  /**
   * Waits. Ends early when the signal aborts, at the deadline, and when the account is closed: the next request then says so.
   *
   * @param delay - milliseconds
   */
  wait(delay: number): Promise<void> {
    return this.service.sleep(Math.max(0, Math.min(delay, this.left)), this.signal)
  }

  /**
   * Waits after a conflict, before the work begins again: up to 50 ms after the first attempt, then up to twice as long each time,
   * and at most 2 s.
   *
   * @param attempt - the number of attempts so far, from 1
   * @returns `false` without waiting when the deadline would pass
   */
  async again(attempt: number): Promise<boolean> {
    const delay = conflictDelay(attempt, this.service.random())
    if (this.left <= delay) return false
    await this.service.sleep(delay, this.signal)
    return true
  }

  /**
   * Calls a listener when the call has to end: its signal aborts, or the account is closed. It calls the listener at once when this
   * has happened.
   *
   * @param listener - receives the error of requests that begin after the account was closed; may be called several times
   * @returns a function that removes the listener
   */
  whenStopped(listener: (error: TransportError) => void): () => void {
    const { signal } = this
    const stop = (): void => listener(closedAccountError())
    if (signal?.aborted) stop()
    const releases = [
      this.service.openCalls.whenStopped(this.whole, stop),
      signal && onAbort(signal, stop),
    ]
    return () => {
      for (const release of releases) release?.()
    }
  }

  /**
   * Waits for a promise that does not reject, but only until the call has to end: its signal aborts, its deadline passes, or the
   * account is closed. The next request then says so.
   */
  orEnded(pending: Promise<unknown>): Promise<void> {
    return untilEnded(this, pending)
  }

  /**
   * Runs work of the call, which closing with `drain` waits for.
   *
   * @param work - makes requests
   * @throws TransportError (`AccountClosed`) when the account is closing
   */
  async run<Output>(work: () => Promise<Output>): Promise<Output> {
    this.begin()
    try {
      return await work()
    } finally {
      this.end()
    }
  }

  /**
   * Counts the call as pending, until {@link Call.end}.
   *
   * @throws TransportError (`AccountClosed`) when the account is closing
   */
  begin(): void {
    this.service.openCalls.enter(this.whole)
  }

  /** Ends what {@link Call.begin} began. */
  end(): void {
    this.service.openCalls.leave(this.whole)
  }
}

/**
 * Makes a call of options.
 *
 * @param service - the account
 * @param options - the caller's, or those of another call that this one is part of
 * @param where - the function that the caller called, for messages
 * @throws InputError for invalid options, and for a context that records another call
 */
export function callOf(service: TableService, options: CallOptions, where: string): Call {
  callOptions.check(options, where)
  checkReads(options, service.endpoint, where)
  return checkedCall(service, options)
}

/** Makes a call of options that were checked before. */
export function checkedCall(service: TableService, options: CallOptions): Call {
  const { deadline, context } = options
  const outer = isCall(deadline) ? deadline : undefined
  const whole = outer?.whole ?? { pending: 0 }
  if (context !== undefined) service.openCalls.record(context, whole)
  const endsAt = endOf(service, deadline)
  const spendings = spendingsOf(options, service, outer)
  const { onFailed } = outer ?? {}
  return new Call(service, { options, endsAt, whole, isInParts: false, onFailed, spendings })
}

/** A program may load the package twice, as ESM and as CommonJS, so the class does not tell. */
function isCall(deadline: CallOptions['deadline']): deadline is Call {
  return typeof deadline === 'object' && 'whole' in deadline
}

function endOf(service: TableService, deadline: CallOptions['deadline']): number {
  if (isCall(deadline) && deadline.isInParts) return endOf(service, deadline.given.deadline)
  if (typeof deadline === 'object') return deadline.endsAt
  const given = typeof deadline === 'number' ? deadline : service.deadline
  return given === undefined ? Number.POSITIVE_INFINITY : service.now() + given
}
