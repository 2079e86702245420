import { type InputError, invalidOption } from '@rowkey/odata'
import type { TransportError } from '../errors/transport-error.ts'
import { closedAccountError } from '../http/transport-errors.ts'
import { onAbort } from '../wait/on-abort.ts'

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
    'context records another call already. Make a new OperationContext for each call, or give one to the account.',
    'context',
  )
}

/** JavaScript may pass anything as options. */
function seriesOf(options: SeriesOptions | undefined): Series | undefined {
  return options?.[SERIES]
}
