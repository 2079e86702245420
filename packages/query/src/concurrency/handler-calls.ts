/**
 * Handles one row.
 *
 * @param row - one row
 * @param signal - aborts when the caller's does, and when another call fails
 */
export type RowHandler<Row> = (row: Row, signal: AbortSignal) => unknown

/** Pending calls of one handler, and the first error of any. */
export class HandlerCalls<Row> {
  readonly #handler: RowHandler<Row>
  readonly #onFailure: () => void
  #pending = 0
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  /**
   * @param handler - synchronous or not
   * @param onFailure - called at the first error
   */
  constructor(handler: RowHandler<Row>, onFailure: () => void) {
    this.#handler = handler
    this.#onFailure = onFailure
  }

  /** Calls the handler without waiting for it. What it throws is kept. */
  begin(row: Row, signal: AbortSignal): void {
    this.#pending++
    void this.#call(row, signal)
  }

  /** Keeps the first error, wherever it comes from. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onFailure()
  }

  /** Waits until at most so many calls are pending. Only one caller may wait. */
  async atMost(count: number): Promise<void> {
    while (this.#pending > count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /**
   * Waits for all calls.
   *
   * @throws the first error, if there was one
   */
  async end(): Promise<void> {
    await this.atMost(0)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #call(row: Row, signal: AbortSignal): Promise<void> {
    try {
      await this.#handler(row, signal)
    } catch (error) {
      this.fail(error)
    } finally {
      this.#pending--
      this.#wake?.()
    }
  }
}
