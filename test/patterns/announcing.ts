import type { Account } from '@rowkey/mapper'
import { type Handler, memoryQueue, type Queue, type Work, worker } from '@rowkey/patterns'
import type { CallOptions } from '@rowkey/rest'

/** What a write announces to its worker. */
export interface Announced {
  readonly table: string
  readonly partitionKey: string
  readonly ticket?: string
  readonly known?: string
  readonly again?: boolean
  readonly retried?: boolean
}

/** Receives what the writes of an outbox announce, in place of a queue. */
export type Announce = (
  partition: Announced,
  delay: number,
  options: CallOptions,
  account: Account,
) => Promise<unknown>

/** The worker of an outbox whose announcements the test receives. Its jobs are done by `deliver` only. */
export function announcedTo(announce: Announce = async () => {}): {
  readonly worker: Work<object>
  readonly handle: Handler<unknown>
} {
  const queue = (account: Account): Queue => ({
    ...memoryQueue('jobs'),
    async send(text, delay = 0, options = {}) {
      await announce(JSON.parse(text).payload, delay, options, account)
    },
  })
  return {
    worker: worker({ queue, deadLetters: () => memoryQueue('dead') }),
    handle: async () => {},
  }
}

/** Handles a message in a call of `deliver`. */
export type MessageHandler<Message> = (
  message: Message,
  options: CallOptions,
  delivery: { readonly id: string; readonly attempt: number },
) => Promise<void>
