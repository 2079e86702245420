import { checkArgument } from '../errors/check-argument.ts'
import { aDuration, aText, aThingWith } from '../errors/rules.ts'
import { checkPeek, checkReceive, checkReceived, type Queue, type QueueMessage } from './queue.ts'

/** A message as a `QueueClient` of @azure/storage-queue returns it. */
export interface StorageQueueMessage {
  /** Identifies the message. */
  readonly messageId: string
  /** The text. */
  readonly messageText: string
  /** How often it was received. */
  readonly dequeueCount: number
  /** When it was sent. */
  readonly insertedOn: Date
  /** Proves who received it last. */
  readonly popReceipt: string
}

/** The part of a `QueueClient` of @azure/storage-queue that {@link storageQueue} calls. */
export interface StorageQueueClient {
  /** The name of the queue. */
  readonly name: string
  /** Where the queue is: two clients with one URL are one queue. */
  readonly url?: string
  /** Stores a message; the visibility timeout is in seconds. */
  sendMessage(text: string, options?: { visibilityTimeout?: number }): Promise<unknown>
  /** Receives messages and hides them, in seconds. */
  receiveMessages(options?: { numberOfMessages?: number; visibilityTimeout?: number }): Promise<{
    /** The messages. */
    readonly receivedMessageItems: readonly StorageQueueMessage[]
  }>
  /** Reads messages, and hides none. */
  peekMessages(options?: { numberOfMessages?: number }): Promise<{
    /** The messages. */
    readonly peekedMessageItems: readonly Omit<StorageQueueMessage, 'popReceipt'>[]
  }>
  /** Hides a message anew. */
  updateMessage(
    messageId: string,
    popReceipt: string,
    message?: string,
    visibilityTimeout?: number,
  ): Promise<Partial<StorageQueueMessage>>
  /** Deletes a message. */
  deleteMessage(messageId: string, popReceipt: string): Promise<unknown>
  /** Counts the messages. */
  getProperties(): Promise<{
    /** About how many it has. */
    readonly approximateMessagesCount?: number
  }>
}

const aClient = aThingWith(
  'a QueueClient of @azure/storage-queue',
  'sendMessage',
  'receiveMessages',
  'peekMessages',
  'updateMessage',
  'deleteMessage',
  'getProperties',
)

/**
 * Makes a queue of a `QueueClient` of @azure/storage-queue. Times are rounded up to whole seconds, as the
 * service takes them.
 *
 * @param client - the client of an existing queue
 *
 * @example
 * ```ts
 * const queue = storageQueue(new QueueClient(connectionString, 'archive'))
 * ```
 */
export function storageQueue(client: StorageQueueClient): Queue {
  checkArgument(aClient, client, 'storageQueue')
  return {
    name: client.name,
    // A SAS may follow the address.
    place: client.url?.split('?')[0],
    async send(text, delay = 0) {
      checkArgument(aText, text, `A message for queue ${client.name}`)
      checkArgument(aDuration, delay, `The delay of a message for queue ${client.name}`)
      await client.sendMessage(text, { visibilityTimeout: seconds(delay) })
    },
    async receive(options) {
      checkReceive(options, client.name)
      const { count, visibility } = options
      const { receivedMessageItems } = await client.receiveMessages({
        numberOfMessages: count,
        visibilityTimeout: seconds(visibility),
      })
      return receivedMessageItems.map(toMessage)
    },
    async peek(count) {
      checkPeek(count, client.name)
      const { peekedMessageItems } = await client.peekMessages({ numberOfMessages: count })
      return peekedMessageItems.map((message) => toMessage({ ...message, popReceipt: '' }))
    },
    async extend(message, visibility) {
      checkReceived(message, client.name)
      checkArgument(aDuration, visibility, `visibility of queue ${client.name}`)
      const { id, receipt, text } = message
      const updating = client.updateMessage(id, receipt, text, seconds(visibility))
      const updated = await unlessTaken(updating)
      return updated && { ...message, receipt: updated.popReceipt ?? receipt }
    },
    async delete(message) {
      checkReceived(message, client.name)
      const { id, receipt } = message
      const deleting = client.deleteMessage(id, receipt).then(() => true)
      return (await unlessTaken(deleting)) ?? false
    },
    async depth() {
      const { approximateMessagesCount: messages = 0 } = await client.getProperties()
      return { messages }
    },
  }
}

function toMessage(message: StorageQueueMessage): QueueMessage {
  const { messageId: id, messageText: text, dequeueCount, insertedOn, popReceipt } = message
  return { id, text, dequeueCount, sentAt: insertedOn.getTime(), receipt: popReceipt }
}

/**
 * The service rejects an old receipt: 404 for a deleted message, 400 for one that was received
 * again.
 */
async function unlessTaken<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    const { statusCode, code }: { readonly statusCode?: unknown; readonly code?: unknown } =
      Object(error)
    const isGone = statusCode === 404 && code !== 'QueueNotFound'
    if (isGone || code === 'PopReceiptMismatch') return undefined
    throw error
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
