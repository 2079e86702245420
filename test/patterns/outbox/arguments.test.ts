import { declareOutbox } from '@rowkey/patterns'
import { it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, OPTIONS, wrongCalls } from '../garbage.ts'

const options = { messages: () => [], ...announcedTo() }
const sales = { department: 'Sales' }
const { account, sent } = office()
const outbox = declareOutbox(defineEmployee(), options)
const messages = outbox.on(account)
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
  option('handle', ['a function']),
  option('worker', []),
  option('writeTimeout', ['undefined', 'a number']),
  option('name', ['undefined', 'a text']),
  method(outbox, 'on', { args: [account, {}], valid: [[], OPTIONS], names: /outbox/ }),
  method(messages, 'send', {
    args: [sales, 'x', {}],
    valid: [[], ['null', 'a number', 'a text', 'a boolean', 'an object', 'an array'], OPTIONS],
    names: /send|department/,
  }),
  ...(['pending', 'deadLetters', 'retryDead'] as const).map((name) =>
    method(messages, name, {
      args: [sales, {}],
      valid: [[], OPTIONS],
      names: new RegExp(`${name}|department`),
    }),
  ),
  method(messages, 'drain', {
    args: [{}],
    valid: [OPTIONS],
    names: /drain/,
  }),
]

function option(name: string, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => declare(defineEmployee(), { ...options, [name]: given })
  const message = new RegExp(`${name} of declareOutbox`)
  return { name, run, args: [undefined], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
