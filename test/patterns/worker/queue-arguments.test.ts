import { memoryQueue, type Queue, storageQueue, tableQueue } from '@rowkey/patterns'
import { it } from 'vitest'
import { office } from '../employees.ts'
import { type Call, expectRejected, wrongCalls } from '../garbage.ts'

const { account, sent } = office()
const send = async (): Promise<never> => {
  sent.push({} as never)
  throw new Error('sent')
}
const client = {
  name: 'jobs',
  sendMessage: send,
  receiveMessages: send,
  peekMessages: send,
  updateMessage: send,
  deleteMessage: send,
  getProperties: send,
}
const message = { id: '1', text: '', dequeueCount: 1, sentAt: 0, receipt: 'a\nb' }

const names = /queue|storageQueue/i
const calls: readonly Call[] = [
  {
    name: 'memoryQueue',
    run: memoryQueue,
    args: ['jobs', {}],
    valid: [['a text'], ['undefined', 'an object', 'an array']],
    names,
  },
  {
    name: 'now',
    run: (now) => memoryQueue('jobs', { now }),
    args: [() => 1],
    valid: [['undefined', 'a function']],
    names,
  },
  {
    name: 'tableQueue',
    run: tableQueue,
    args: [account, 'jobs', { table: 'queues' }],
    valid: [[], ['a text'], []],
    names,
  },
  { name: 'storageQueue', run: storageQueue, args: [client], valid: [[]], names },
  ...methodsOf('memory', memoryQueue('jobs')),
  ...methodsOf('table', tableQueue(account, 'jobs', { table: 'queues' })),
  ...methodsOf('storage', storageQueue(client)),
]

function methodsOf(kind: string, queue: Queue): readonly Call[] {
  const name = (method: string) => `${method} of a ${kind} queue`
  return [
    {
      name: name('send'),
      run: (text, delay) => queue.send(text, delay),
      args: ['text', 0],
      valid: [['a text'], ['undefined', 'a number']],
      names,
    },
    {
      name: name('receive'),
      run: (options) => queue.receive(options),
      args: [{ count: 1, visibility: 1 }],
      valid: [[]],
      names,
    },
    {
      name: name('count of receive'),
      run: (count) => queue.receive({ count, visibility: 1 }),
      args: [1],
      valid: [['a number']],
      names,
    },
    {
      name: name('peek'),
      run: (count) => queue.peek(count),
      args: [1],
      valid: [['a number']],
      names,
    },
    {
      name: name('extend'),
      run: (received, visibility) => queue.extend(received, visibility),
      args: [message, 1],
      valid: [[], ['a number']],
      names,
    },
    {
      name: name('delete'),
      run: (received) => queue.delete(received),
      args: [message],
      valid: [[]],
      names,
    },
  ]
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
