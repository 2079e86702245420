import { required, wholeNumber } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { aDuration, aThingOfTexts, aThingWith } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'

/** A message that was received, and is hidden from other workers for a while. */
export interface QueueMessage {
  /** Identifies the message, also after it was received again. */
  readonly id: string
  /** The text that was sent. */
  readonly text: string
  /** How often it was received, this time included. */
  readonly dequeueCount: number
  /** When it was sent: milliseconds since 1970. */
  readonly sentAt: number
  /**
   * Proves that this receiver has the message; each receive and each extension returns a new one.
   */
  readonly receipt: string
}

/** Which messages are received. */
export interface ReceiveOptions {
  /** How many messages at most, from 1 to 32. */
  readonly count: number
  /** Milliseconds for which other receivers do not see them. */
  readonly visibility: number
}

/** How many messages a queue has, and since when. */
export interface QueueDepth {
  /**
   * How many messages are stored, hidden ones included. Some services know it only approximately.
   */
  readonly messages: number
  /**
   * When the oldest message was sent, in milliseconds since 1970; `undefined` when that is
   * unknown.
   */
  readonly oldest?: number | undefined
}

/**
 * A queue that delivers each message at least once. A message that was received and not deleted is visible again
 * after its visibility time.
 */
export interface Queue {
  /** The name of the queue. */
  readonly name: string
  /** Where its messages are stored: two objects with the same place are one queue. A queue of its own object does not have it. */
  readonly place?: string | undefined
  /**
   * Stores a message.
   *
   * @param text - the message
   * @param delay - milliseconds before it is visible; 0 when absent
   * @param options - of its calls
   */
  send(text: string, delay?: number, options?: CallOptions): Promise<void>
  /** Receives visible messages and hides them. The result is empty when no message is visible. */
  receive(options: ReceiveOptions, call?: CallOptions): Promise<readonly QueueMessage[]>
  /**
   * Reads the first visible messages, and hides none of them.
   *
   * @param count - how many at most, from 1 to 32
   */
  peek(count: number, options?: CallOptions): Promise<readonly QueueMessage[]>
  /**
   * Hides a received message for a time that begins now.
   *
   * @returns the message with its new receipt; `undefined` when another receiver has it by now
   */
  extend(
    message: QueueMessage,
    visibility: number,
    options?: CallOptions,
  ): Promise<QueueMessage | undefined>
  /**
   * Deletes a received message.
   *
   * @returns false when another receiver has it by now, or it was deleted before. After a lost response, a queue in a table without
   * `exactWrites` also returns true when the message is gone for another reason
   */
  delete(message: QueueMessage, options?: CallOptions): Promise<boolean>
  /** Counts the messages. */
  depth(): Promise<QueueDepth>
}

const aQueue = aThingWith('a queue', 'send', 'receive', 'peek', 'extend', 'delete', 'depth')

/**
 * Checks a queue that a function of the caller returned.
 *
 * @param queue - the result
 * @param place - the function, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkQueue(queue: unknown, place: string): void {
  checkArgument(aQueue, queue, `The result of ${place}`)
}

/** The most messages of one receive. */
const MOST_MESSAGES = 32

const aMessage = aThingOfTexts('a message from its receive', 'id', 'text', 'receipt')

const receiveOptions = declarePattern<ReceiveOptions>({
  count: required(wholeNumber(1, MOST_MESSAGES)),
  visibility: required(aDuration),
})

/**
 * Checks the options of `receive`.
 *
 * @param options - the caller's options
 * @param queue - the name of the queue, for the message
 * @throws InputError
 */
export function checkReceive(options: ReceiveOptions, queue: string): void {
  receiveOptions.check(options, `receive of queue ${queue}`)
}

const aNumberOfMessages = wholeNumber(1, MOST_MESSAGES)

/**
 * Checks the argument of `peek`.
 *
 * @param count - how many messages
 * @param queue - the name of the queue, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkPeek(count: number, queue: string): void {
  checkArgument(aNumberOfMessages, count, `peek of queue ${queue}`)
}

/**
 * Checks a message that was received.
 *
 * @param message - the caller's message
 * @param queue - the name of the queue, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkReceived(message: unknown, queue: string): void {
  checkArgument(aMessage, message, `Queue ${queue}`)
}
