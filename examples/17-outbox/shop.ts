import { declareOutbox, type Handler, tableQueue, worker } from '@rowkey/patterns'
import { connect, defineEntity, key } from 'rowkey'
import { z } from 'zod'

/**
 * Opens a shop: its orders, and the worker that ships them. Every process opens it in the same way.
 *
 * @param ship - ships an order; it may run twice for one
 */
export function openShop(ship: Handler<{ order: number }>) {
  const { TABLES = 'memory:', SUFFIX = '' } = process.env
  const Order = defineEntity({
    name: `orders${SUFFIX}`,
    partitionKey: key`${'customer'}`,
    rowKey: key`order_${'no:6'}`,
    schema: z.object({ customer: z.string(), no: z.int() }),
  })
  const queues = `queues${SUFFIX}`
  const work = worker({
    queue: (account) => tableQueue(account, 'jobs', { table: queues }),
    deadLetters: (account) => tableQueue(account, 'dead-jobs', { table: queues }),
    visibility: 1_000, // a worker that was killed is missed after a second
  })
  const outbox = declareOutbox(Order, {
    messages: ({ before, after }) => (before === undefined && after ? [{ order: after.no }] : []),
    handle: ship,
    worker: work,
  })
  const account = connect(TABLES)
  return {
    account,
    queues,
    orders: account.table(Order),
    outbox: outbox.on(account),
    work: work.on(account),
  }
}
