import type { CallOptions, Sleep } from '@rowkey/rest'
import { invalidPatternOption } from '../errors/codes.ts'
import type { Queue, QueueMessage } from '../queues/queue.ts'

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

  /** What the message holds. */
  get text(): string {
    return this.#message.text
  }

  /**
   * Hides the message for a time that begins now.
   *
   * @returns false when another receiver has it
   */
  extend(visibility: number = this.#holding.visibility): Promise<boolean> {
    return this.#next((holding) => this.#store(this.#message.text, visibility, holding))
  }

  /**
   * Changes what the message holds, and hides it for a time that begins now.
   *
   * @throws the reason of `lost` when another receiver has it
   */
  rewrite(change: (text: string) => string): Promise<void> {
    return this.#next(async (holding) => {
      const text = change(this.#message.text)
      if (!(await this.#store(text, holding.visibility, holding))) this.lost.throwIfAborted()
      if (this.#message.text !== text) throw notChanged(holding.queue.name)
    })
  }

  async #store(text: string, visibility: number, { queue, options }: Holding): Promise<boolean> {
    const kept = await queue.extend({ ...this.#message, text }, visibility, options)
    if (kept === undefined) this.#lost.abort(new Error('another worker has the job'))
    this.#message = kept ?? this.#message
    return kept !== undefined
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

function notChanged(queue: string): Error {
  return invalidPatternOption(
    `The queue ${queue} did not store the result of a step. Its extend must store the text of the message that it gets, and return it.`,
  )
}
