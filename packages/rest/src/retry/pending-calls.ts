import { unsentErrorOf } from '../http/transport-errors.ts'

/** The member of options that names their series. Copies of the options have it too, and no list of names shows it. */
const SERIES = Symbol('series')

/** Options of calls, which may belong to a series. */
interface SeriesOptions {
  readonly [SERIES]?: object
}

/** Counts the pending calls of a service, so that closing the service can wait for them. */
export class PendingCalls {
  readonly #origin: string
  readonly #series = new Set<object | undefined>()
  #count = 0
  #draining: Promise<void> | undefined
  #drained: (() => void) | undefined

  /** @param origin - the origin of the account, for messages */
  constructor(origin: string) {
    this.#origin = origin
  }

  /**
   * Runs one call, which is pending from now until it ends.
   *
   * @param options - of the call: those of a pending series let it begin while the service is closing
   * @param call - begins the call
   * @throws TransportError when the service is closing; the call then does not begin
   */
  async run<Output>(options: object, call: () => Promise<Output>): Promise<Output> {
    if (!this.#admits(options)) throw unsentErrorOf(this.#origin)
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
   * @returns the options of each call; while the service is closing the options as they are, so that calls reject
   */
  begin<Options extends object>(options: Options): Options {
    if (!this.#admits(options)) return options
    const series = {}
    this.#series.add(series)
    return { ...options, [SERIES]: series }
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

  /** Rejects further calls, and waits until all pending calls and series have ended. */
  drain(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      this.#drained = resolve
    })
    this.#settle()
    return this.#draining
  }

  /** Ends the wait of {@link PendingCalls.drain}, because the pending calls are about to be cancelled. */
  stop(): void {
    this.#drained?.()
  }

  #admits(options: object): boolean {
    return this.#draining === undefined || this.#series.has(seriesOf(options))
  }

  #settle(): void {
    if (this.#count === 0 && this.#series.size === 0) this.#drained?.()
  }
}

function seriesOf(options: SeriesOptions): object | undefined {
  return options[SERIES]
}
