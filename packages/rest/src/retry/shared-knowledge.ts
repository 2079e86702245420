import type { InputError } from '@rowkey/odata'
import type { Flavour } from '../endpoint/endpoint.ts'
import { invalidOption } from '../errors/codes.ts'
import { TableNotFoundError } from '../errors/service-error.ts'
import type { TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { closedAccountError } from '../http/transport-errors.ts'
import { checkOptions, checkWholeNumber } from '../options/check-options.ts'
import { onAbort } from '../options/on-abort.ts'
import type { OperationTraits } from '../request/operation.ts'

/** With less, half of the requests failing would exhaust the budget: see docs/lost-responses.md. */
const EARNINGS = 1.25
const MOST_EARNINGS = 2

/**
 * Bounds how many retries all calls together may make, so that clients do not flood a service in an
 * outage. Services can share one budget.
 */
export interface RetryBudget {
  /**
   * Takes one retry from the budget.
   *
   * @returns `false` when none is left; the call then fails with its last error
   */
  spend(): boolean
  /** Returns retries to the budget, after a call that succeeded. */
  earn(): void
}

/** The options of {@link retryBudget}. */
export interface RetryBudgetOptions {
  /**
   * The number of retries at the start, and at most.
   *
   * @defaultValue `100`
   */
  readonly capacity?: number | undefined
  /**
   * How many retries each success returns: more than 0, at most 2.
   *
   * @defaultValue `1.25`
   */
  readonly earnings?: number | undefined
}

/**
 * Makes a bucket of retries: each retry takes one, and each success returns some.
 *
 * Successes tell partial trouble from an outage. With the defaults, while up to half of the requests
 * fail, successes return more retries than calls need. In an outage nothing is returned, so after the
 * first hundred retries each call makes one attempt. A retry after throttling (429)
 * takes nothing: the service did no work, and asks clients to come back.
 *
 * @param options - the size of the bucket
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const budget = retryBudget({ capacity: 500 })
 * const orders = tableService({ connectionString: process.env.ORDERS!, retryBudget: budget })
 * const people = tableService({ connectionString: process.env.PEOPLE!, retryBudget: budget })
 * ```
 */
export function retryBudget(options: RetryBudgetOptions = {}): RetryBudget {
  checkOptions(options, { capacity: true, earnings: true }, 'retryBudget')
  const capacity = checkWholeNumber(options.capacity ?? 100, 'capacity', 'retryBudget')
  const earnings = checkEarnings(options.earnings ?? EARNINGS)
  let left = capacity
  return Object.freeze({
    spend(): boolean {
      if (left < 1) return false
      left -= 1
      return true
    },
    earn(): void {
      left = Math.min(capacity, left + earnings)
    },
  })
}

function checkEarnings(earnings: unknown): number {
  if (typeof earnings === 'number' && earnings > 0 && earnings <= MOST_EARNINGS) {
    return earnings
  }
  throw invalidOption('earnings of retryBudget must be a number above 0 and at most 2.')
}

/**
 * Rejects a value that is not a {@link RetryBudget}, `false` or `undefined`.
 *
 * @param budget - the option of a service
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkRetryBudget(budget: RetryBudget | false | undefined): void {
  if (budget === undefined || budget === false) return
  if (typeof budget?.spend === 'function' && typeof budget.earn === 'function') return
  throw invalidOption(
    'retryBudget of an account must be a RetryBudget, such as retryBudget(), or false.',
  )
}

/** How long it may take until a new table exists on the whole service, in milliseconds. */
const SETTLING_TIME = 10_000

/** An operation and its input. */
interface TableCall {
  readonly operation: OperationTraits
  readonly input: unknown
}

/**
 * The tables that this client has just created. Until the whole service knows a table, an operation
 * on its entities may still receive TableNotFound.
 */
export class OwnTables {
  readonly #flavour: Flavour
  readonly #createdAt = new Map<string, number>()

  /** @param flavour - the kind of service: on Cosmos DB, names that differ in case are two tables */
  constructor(flavour: Flavour = 'storage') {
    this.#flavour = flavour
  }

  /**
   * Records a successful call that created or deleted a table.
   *
   * @param call - the call
   * @param output - its output; `false` when it changed nothing
   * @param now - milliseconds since 1970, UTC
   */
  record({ operation, input }: TableCall, output: unknown, now: number): void {
    if (operation.addresses !== 'table' || output === false) return
    if (operation.name === 'deleteTable') this.#createdAt.delete(this.#tableIn(input))
    if (operation.name !== 'createTable') return
    const created = this.#tableIn(input)
    // Removed first, so that the oldest stay in front and the search ends at the first recent one.
    this.#createdAt.delete(created)
    for (const [name, createdAt] of this.#createdAt) {
      if (now - createdAt <= SETTLING_TIME) break
      this.#createdAt.delete(name)
    }
    this.#createdAt.set(created, now)
  }

  /**
   * Tells whether a failure only means that the whole service does not know a new table yet.
   *
   * @param call - the call
   * @param error - the error of its attempt
   * @param now - milliseconds since 1970, UTC
   */
  isSettling({ operation, input }: TableCall, error: unknown, now: number): boolean {
    if (operation.addresses === 'table' || !isMissingTable(error)) return false
    const createdAt = this.#createdAt.get(this.#tableIn(input))
    return createdAt !== undefined && now - createdAt <= SETTLING_TIME
  }

  /** Every operation on a table or its entities has this member. */
  #tableIn(input: unknown): string {
    const table = String(Object(input).table)
    return this.#flavour === 'cosmos' ? table : table.toLowerCase()
  }
}

/** In a batch the code is that of the change that failed. */
function isMissingTable(error: unknown): boolean {
  return error instanceof TableNotFoundError || Object(error).code === 'TableNotFound'
}

/** Below the 15 minutes that the service accepts, and above the latency of any response. */
const NOTABLE_SKEW = 5 * 60 * 1000

/** The difference between this machine's clock and the service's, as far as responses show it. */
export class ClockSkew {
  #offset = 0

  /**
   * Returns the service's time.
   *
   * @param now - this machine's time: milliseconds since 1970, UTC
   */
  correct(now: number): number {
    return now + this.#offset
  }

  /**
   * Adopts the service's clock when a request was signed with a date that is more than five minutes
   * off. The date of that request decides, because other calls may have corrected the clock since.
   *
   * @param response - the response, with the service's `date`
   * @param signedAt - the date that was signed
   * @param now - this machine's time
   * @returns whether the date was wrong, so that a retry with another date may be accepted
   */
  learn(response: HttpResponse, signedAt: number, now: number): boolean {
    const date = Date.parse(response.headers.date ?? '')
    if (!(Math.abs(date - signedAt) > NOTABLE_SKEW)) return false
    this.#offset = date - now
    return true
  }
}

/** The member of options that names their series. Copies of the options have it too, and no list of names shows it. */
const SERIES = Symbol('series')

/** A series of calls. */
interface Series {
  /** The call of the caller's that all of its calls belong to: a series within another has the same. */
  readonly whole: object
}

/** Options of calls, which may belong to a series. */
interface SeriesOptions {
  readonly [SERIES]?: Series
}

/**
 * Returns the options of several calls that are one call of the caller's, for code that does not know the service: a
 * context may record all of them.
 *
 * @param options - of the call
 */
export function ofOneCall<Options extends object>(options: Options): Options {
  return { ...options, [SERIES]: seriesOf(options) ?? { whole: {} } }
}

/** Counts the pending calls of a service, so that closing the service can wait for them. */
export class PendingCalls {
  readonly #series = new Set<Series | undefined>()
  /** The call that each context records. */
  readonly #recorded = new WeakMap<object, object>()
  readonly #listeners = new Set<() => void>()
  #count = 0
  #isStopped = false
  #draining: Promise<void> | undefined
  #drained: (() => void) | undefined

  /**
   * Runs one call, which is pending from now until it ends.
   *
   * @param options - of the call: those of a pending series let it begin while the service is closing
   * @param call - begins the call
   * @throws TransportError when the service is closing, and InputError (`InvalidOptionValue`) for a context that records
   * another call; the call then does not begin
   */
  async run<Output>(options: object, call: () => Promise<Output>): Promise<Output> {
    if (!this.#admits(options)) throw closedAccountError()
    this.#record(options)
    this.#count++
    try {
      return await call()
    } finally {
      this.#count--
      this.#settle()
    }
  }

  /**
   * Begins a series of calls that belong together, such as the pages of a query. Its calls begin even while the
   * service is closing, and closing waits for its end.
   *
   * @param options - of all calls of the series; a series within another has the options of that one
   * @returns the options of each call; as they are while the service is closing, and when they are not an object, so
   * that calls reject
   */
  begin<Options extends object>(options: Options): Options {
    if (typeof options !== 'object' || options === null || !this.#admits(options)) return options
    const series = { whole: seriesOf(options)?.whole ?? {} }
    // First, because a getter of the caller may throw.
    const begun = { ...options, [SERIES]: series }
    this.#series.add(series)
    return begun
  }

  /**
   * Ends a series. May be called again.
   *
   * @param options - from {@link PendingCalls.begin}
   */
  end(options: object): void {
    if (this.#series.delete(seriesOf(options))) this.#settle()
  }

  /**
   * Runs a series from its first call to its last.
   *
   * @param options - of all calls of the series
   * @param series - makes the calls with its options
   */
  async runSeries<Options extends object, Output>(
    options: Options,
    series: (options: Options) => Promise<Output>,
  ): Promise<Output> {
    const begun = this.begin(options)
    try {
      return await series(begun)
    } finally {
      this.end(begun)
    }
  }

  /**
   * Returns the options of other calls of the series that options belong to: it copies nothing else of
   * them.
   *
   * @param options - of a call
   */
  seriesOf(options: object): object {
    const { [SERIES]: series }: SeriesOptions = options
    return { [SERIES]: series }
  }

  /**
   * Returns the options of several series that are one call of the caller's: a context may record all of them.
   *
   * @param options - of the call
   */
  ofOneCall<Options extends object>(options: Options): Options {
    return ofOneCall(options)
  }

  /** Rejects further calls, and waits until all pending calls and series have ended. */
  drain(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      this.#drained = resolve
    })
    this.#settle()
    return this.#draining
  }

  /**
   * Rejects further calls. Ends the wait of {@link PendingCalls.drain}, now and later, because the pending calls are
   * about to be cancelled.
   */
  stop(): void {
    this.#isStopped = true
    for (const listener of this.#listeners) listener()
    this.#settle()
  }

  /**
   * Calls a listener when a series has to end: its signal aborts, or the pending calls are about to be
   * cancelled. It calls the listener at once when this has happened, or the series cannot begin. It may be
   * called for each.
   *
   * @param options - from {@link PendingCalls.begin}
   * @param listener - receives the error of calls that begin after the service was closed
   * @returns a function that removes the listener
   */
  whenStopped(
    options: { readonly signal?: AbortSignal | undefined },
    listener: (error: TransportError) => void,
  ): () => void {
    const { signal } = options
    const stop = (): void => listener(closedAccountError())
    if (signal?.aborted || !this.#admits(options)) stop()
    this.#listeners.add(stop)
    const release = signal && onAbort(signal, stop)
    return () => {
      release?.()
      this.#listeners.delete(stop)
    }
  }

  /** Mixed attempts would say nothing about either call. */
  #record(options: SeriesOptions & { readonly context?: unknown }): void {
    const context = options?.context
    if (typeof context !== 'object' || context === null) return
    const call = seriesOf(options)?.whole ?? {}
    const recorded = this.#recorded.get(context)
    if (recorded === undefined) this.#recorded.set(context, call)
    else if (recorded !== call) throw reusedContext()
  }

  #admits(options: object): boolean {
    if (this.#isStopped) return false
    return this.#draining === undefined || this.#series.has(seriesOf(options))
  }

  #settle(): void {
    const isOver = this.#count === 0 && this.#series.size === 0
    if (isOver || this.#isStopped) this.#drained?.()
  }
}

function reusedContext(): InputError {
  return invalidOption(
    'context records another call already. Make a new OperationContext for each call, or give one to the account, which then records all of its calls.',
    'context',
  )
}

/** JavaScript may pass anything as options. */
function seriesOf(options: SeriesOptions | undefined): Series | undefined {
  return options?.[SERIES]
}
