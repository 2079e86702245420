import type { Account } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'

/** The delivery of a job or of a message, as its handler sees it. */
export interface Delivery {
  /** Identifies the job or the message, also when it is delivered again. */
  readonly id: string
  /** How often it was delivered, this time included. */
  readonly attempt: number
  /** The account of the worker. */
  readonly account: Account
  /** Aborts when the worker stops, and when another worker has the job. */
  readonly signal: AbortSignal
  /**
   * The options of the handler's calls on the account. With them, closing the account with `drain` completes the job; without them its calls
   * are then rejected, and the job is delivered again later.
   */
  readonly options: CallOptions
  /**
   * Keeps the job for this worker for another visibility time. The worker does so by itself each time half of the visibility time
   * is over; call it before a step that must not run twice.
   *
   * @returns false when another worker has the job by now: stop then
   */
  keep(): Promise<boolean>
}

/**
 * Does one kind of job, or handles the messages of an outbox. Each is delivered at least once, and may be delivered again after it
 * succeeded, so every step must be idempotent: `insertOrReplace`, `deleteIfExists`, or a write by the ETag that it read.
 */
export type Handler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>
