import { memoryQueue, type Queue, tableQueue } from '@rowkey/patterns'
import { office } from '../employees.ts'

/** An empty queue, and its clock. */
export interface Opened {
  readonly queue: Queue
  readonly clock: { now: number }
}

/** A queue in a table. */
export async function tableBacked() {
  const clock = office()
  await clock.account.createTable('queues')
  const queue = tableQueue(clock.account, 'jobs', { table: 'queues' })
  return { queue, clock, account: clock.account }
}

/** A queue in memory. */
export async function inMemory(): Promise<Opened> {
  const clock = { now: 1_000_000 }
  return { queue: memoryQueue('jobs', { now: () => clock.now }), clock }
}
