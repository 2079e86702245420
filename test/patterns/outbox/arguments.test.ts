import { declareOutbox } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, OPTIONS, wrongCalls } from '../garbage.ts'

const options = { messages: () => [], announce: async () => {} }
const place = { table: 'employees', partitionKey: 'Sales' }
const handler = async () => {}
const { account, sent } = office()
const outbox = declareOutbox(defineEmployee(), options)
const declare = declareOutbox as (...args: unknown[]) => unknown

const calls: readonly Call[] = [
  {
    name: 'declareOutbox',
    run: declare,
    args: [defineEmployee(), options],
    valid: [[], []],
    names: /declareOutbox/,
  },
  option('messages', ['a function']),
  option('announce', ['a function']),
  option('writeTimeout', ['undefined', 'a number']),
  option('beginning', ['undefined', 'a text']),
  option('newId', ['undefined', 'a function']),
  method(outbox, 'deliver', {
    args: [account, place, handler, {}],
    valid: [[], [], ['a function'], OPTIONS],
    names: /deliver/,
  }),
  method(outbox, 'pending', {
    args: [account, place, {}],
    valid: [[], [], OPTIONS],
    names: /pending/,
  }),
  method(outbox, 'sweep', {
    args: [account, 'employees', handler, {}],
    valid: [[], ['a text'], ['a function'], OPTIONS],
    names: /sweep/,
  }),
]

function option(name: string, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => declare(defineEmployee(), { ...options, [name]: given })
  const message = new RegExp(`${name} of declareOutbox`)
  return { name, run, args: [undefined], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
