/**
 * What is done with a row.
 *
 * @param row - one row
 * @param signal - aborts when the caller's does, and when another call fails
 */
export type RowHandler<Row> = (row: Row, signal: AbortSignal) => unknown

/** How the rows of a query are handed to a function. */
export interface HandlerOptions {
  /**
   * How many calls at most are under way at once; `1` hands out a row when the one before is done.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** Calls of one handler that are under way, and the first error of any. */
export class HandlerCalls<Row> {
  readonly #handler: RowHandler<Row>
  readonly #onFailure: () => void
  #underWay = 0
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  /**
   * @param handler - synchronous or not
   * @param onFailure - told of the first error
   */
  constructor(handler: RowHandler<Row>, onFailure: () => void) {
    this.#handler = handler
    this.#onFailure = onFailure
  }

  /** Calls the handler, and does not wait for it. What it throws is kept. */
  begin(row: Row, signal: AbortSignal): void {
    this.#underWay++
    void this.#call(row, signal)
  }

  /** Keeps the first error, whoever threw it. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onFailure()
  }

  /** Waits until no more than so many calls are under way. Only one may wait. */
  async atMost(count: number): Promise<void> {
    while (this.#underWay > count) {
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
      this.#underWay--
      this.#wake?.()
    }
  }
}
