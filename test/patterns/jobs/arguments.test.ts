import { JobQueue, memoryQueue } from '@rowkey/patterns'
import { it } from 'vitest'
import { office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, wrongCalls } from '../garbage.ts'

const { sent } = office()
const options = {
  queue: memoryQueue('jobs'),
  deadLetters: memoryQueue('dead'),
  handlers: { mail: async () => {} },
}
const jobs = new JobQueue<{ mail: string }>(options)
const make = (given: unknown) => new JobQueue(given as never)

const calls: readonly Call[] = [
  { name: 'JobQueue', run: make, args: [options], valid: [[]], names: /JobQueue/ },
  option('queue', []),
  option('deadLetters', []),
  option('handlers', ['an object']),
  option('attempts', ['undefined', 'a number']),
  option('visibility', ['undefined', 'a number']),
  option('concurrency', ['undefined', 'a number']),
  option('sleep', ['undefined', 'a function']),
  {
    name: 'a handler',
    run: (mail) => make({ ...options, handlers: { mail } }),
    args: [async () => {}],
    valid: [['a function']],
    names: /handler 'mail' of a JobQueue/,
  },
  method(jobs, 'send', {
    args: ['mail', 'text', 0],
    valid: [
      [],
      ['null', 'a number', 'a text', 'a boolean', 'an object', 'an array'],
      ['undefined', 'a number'],
    ],
    names: /jobs|job 'mail'/,
  }),
  method(jobs, 'runOnce', {
    args: [new AbortController().signal],
    valid: [['undefined']],
    names: /signal of runOnce/,
  }),
  method(jobs, 'run', {
    args: [new AbortController().signal],
    valid: [[]],
    names: /signal of run/,
  }),
]

function option(name: string, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => make({ ...options, [name]: given })
  const message = new RegExp(`${name} of (?:a )?JobQueue`)
  return { name, run, args: [undefined], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
