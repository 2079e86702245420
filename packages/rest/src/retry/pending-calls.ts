import { unsentErrorOf } from '../http/transport-errors.ts'

/** Counts the pending calls of a service, so that closing the service can wait for them. */
export class PendingCalls {
  readonly #origin: string
  #count = 0
  #countOfSeries = 0
  #draining: Promise<void> | undefined
  #drained: (() => void) | undefined

  /** @param origin - the origin of the account, for messages */
  constructor(origin: string) {
    this.#origin = origin
  }

  /**
   * Runs one call, which is pending from now until it ends.
   *
   * @param call - begins the call
   * @throws TransportError when the service is closing; the call then does not begin
   */
  async run<Output>(call: () => Promise<Output>): Promise<Output> {
    if (this.#draining !== undefined && this.#countOfSeries === 0) throw unsentErrorOf(this.#origin)
    this.#count++
    try {
      return await call()
    } finally {
      this.#count--
      if (this.#count === 0) this.#drained?.()
    }
  }

  /**
   * Runs a series of calls that belong together. Until it ends, calls begin even when the service is
   * closing, because nothing tells the calls of the series from others. Another series does not begin.
   *
   * @param series - begins the first call
   * @throws TransportError when the service is closing; the series then does not begin
   */
  async runSeries<Output>(series: () => Promise<Output>): Promise<Output> {
    if (this.#draining !== undefined) throw unsentErrorOf(this.#origin)
    this.#countOfSeries++
    try {
      return await this.run(series)
    } finally {
      this.#countOfSeries--
    }
  }

  /** Rejects further calls, and waits until all pending calls have ended. */
  drain(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      if (this.#count === 0) resolve()
      else this.#drained = resolve
    })
    return this.#draining
  }
}
