import { memoryQueue, worker } from '@rowkey/patterns'
import { it } from 'vitest'
import { office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, OPTIONS, wrongCalls } from '../garbage.ts'

const { account, sent } = office()
const options = {
  queue: () => memoryQueue('jobs'),
  deadLetters: () => memoryQueue('dead'),
  handlers: { mail: async () => {} },
}
const work = worker<{ mail: string }>(options)
const jobs = work.on(account)
const make = (given: unknown) => worker(given as never)

const calls: readonly Call[] = [
  { name: 'worker', run: make, args: [options], valid: [[]], names: /worker/ },
  method(work, 'on', { args: [account], valid: [[]], names: /worker/ }),
  method(jobs, 'deadLetters', { args: [{}], valid: [OPTIONS], names: /deadLetters/ }),
  method(jobs, 'retryDead', { args: [{}], valid: [OPTIONS], names: /retryDead/ }),
  option('queue', ['a function']),
  option('deadLetters', ['a function']),
  option('handlers', ['undefined', 'an object']),
  option('attempts', ['undefined', 'a number']),
  option('visibility', ['undefined', 'a number']),
  option('concurrency', ['undefined', 'a number']),
  option('renewal', ['undefined', 'a function']),
  {
    name: 'a handler',
    run: (mail) => make({ ...options, handlers: { mail } }),
    args: [async () => {}],
    valid: [['a function']],
    names: /handler 'mail' of a worker/,
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
  const message = new RegExp(`${name} of (?:a )?worker`)
  return { name, run, args: [undefined], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
