import { AbortError } from '@rowkey/rest'
import type { BulkEnding } from './bulk-outcome.ts'

/** Whether and why a bulk write has ended. Afterwards nothing new is sent; the first reason counts. */
export class BulkEnd {
  readonly #controller = new AbortController()
  readonly #onEnd: () => void
  #reason: { readonly ending: BulkEnding; readonly cause: unknown } | undefined

  /** @param onEnd - called when it ends */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Aborts when the write ends. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.#reason !== undefined
  }

  /** Ends the write, unless it has ended; returns how it ended. */
  by(ending: BulkEnding, cause: unknown): { readonly ending: BulkEnding; readonly cause: unknown } {
    if (this.#reason !== undefined) return this.#reason
    this.#reason = { ending, cause }
    this.#controller.abort(cause)
    this.#onEnd()
    return this.#reason
  }

  /** Ends the write because of an error: no other operation would be applied. */
  fail(error: unknown): void {
    this.by('failed', error)
  }

  /**
   * Returns the error of an operation that was read and not sent, because the write ended early.
   *
   * @param mayHaveApplied - whether an earlier run sent it
   */
  notSent(mayHaveApplied = false): AbortError {
    const { ending, cause } = this.#reason ?? {}
    const isAborted = ending === 'aborted'
    return new AbortError({
      reason: cause,
      mayHaveApplied,
      event: isAborted ? undefined : 'The bulk write ended before it sent this operation.',
    })
  }
}
