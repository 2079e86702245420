import type { CallOptions, Sleep } from '@rowkey/rest'
import type { Queue, QueueMessage } from './queue.ts'

/** How a message is held. */
interface Holding {
  readonly queue: Queue
  /** Milliseconds for which each extension hides the message. */
  readonly visibility: number
  readonly options: CallOptions
}

/**
 * A received message while its worker has it. Extensions and the delete follow one another, because each needs the receipt of the
 * one before.
 */
export class HeldMessage {
  readonly #holding: Holding
  readonly #lost = new AbortController()
  /** Aborts when another receiver has the message. */
  readonly lost: AbortSignal = this.#lost.signal
  #message: QueueMessage
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param message - as it was received
   * @param holding - the queue, and for how long the message is hidden
   */
  constructor(message: QueueMessage, holding: Holding) {
    this.#message = message
    this.#holding = holding
  }

  /** The options of the calls of its queue. */
  get options(): CallOptions {
    return this.#holding.options
  }

  /**
   * Hides the message for a time that begins now.
   *
   * @returns false when another receiver has it
   */
  extend(visibility: number = this.#holding.visibility): Promise<boolean> {
    return this.#next(async ({ queue, options }) => {
      const kept = await queue.extend(this.#message, visibility, options)
      if (kept === undefined) this.#lost.abort(new Error('another worker has the job'))
      this.#message = kept ?? this.#message
      return kept !== undefined
    })
  }

  /** Deletes the message; returns false when another receiver has it. */
  delete(): Promise<boolean> {
    return this.#next(({ queue, options }) => queue.delete(this.#message, options))
  }

  /**
   * Runs work, and extends the message each time half of its visibility time is over.
   *
   * @param work - what the message is held for
   * @param wait - waits between two extensions
   */
  async during(work: () => Promise<void>, wait: Sleep): Promise<void> {
    const ended = new AbortController()
    const renewing = this.#renew(wait, ended.signal)
    try {
      await work()
    } finally {
      ended.abort()
      await renewing
    }
  }

  async #renew(wait: Sleep, ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !this.lost.aborted) {
      await wait(this.#holding.visibility / 2, ended).catch(() => undefined)
      // The next extension may succeed; until then the work goes on.
      if (!ended.aborted) await this.extend().catch(() => undefined)
    }
  }

  #next<Result>(step: (holding: Holding) => Promise<Result>): Promise<Result> {
    const next = this.#last.then(() => step(this.#holding))
    this.#last = next.catch(() => undefined)
    return next
  }
}
