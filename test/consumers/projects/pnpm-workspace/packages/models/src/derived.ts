import {
  declareIndexes,
  declareOutbox,
  declareSummaries,
  memoryQueue,
  worker,
} from '@rowkey/patterns'
import { connect, key } from 'rowkey'
import { Order, Person } from './index.js'

const account = connect('memory:')

export const orderIndexes = declareIndexes(Order, {
  total: { rowKey: key`${'total:8'}_${'no:8'}`, project: ['total'] },
})
export const indexedOrders = orderIndexes.on(account)
export const byTotal = indexedOrders.query('total', { customer: 'a' })
export const copiedTotals = indexedOrders.copies('total')
export const built = indexedOrders.build()
export const state = indexedOrders.state('total')
export const personIndexes = declareIndexes(Person, {
  mail: { rowKey: key`${'mail'}`, unique: true },
})
export const indexedPeople = personIndexes.on(account)
export const sums = declareSummaries(Order, { all: { rowKey: key`all`, sums: ['total'] } })
export const summed = sums.on(account)
export const queue = memoryQueue('jobs')
export const work = worker({
  queue: () => queue,
  deadLetters: () => memoryQueue('dead'),
  handlers: { greet: async (payload: { name: string }) => void payload.name },
})
export const outbox = declareOutbox(Order, {
  messages: ({ before, after }) => [{ was: before?.total, is: after?.total }],
  handle: async ({ is }) => void is,
  worker: work,
})
