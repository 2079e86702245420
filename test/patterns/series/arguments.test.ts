import { defineEntity, key } from '@rowkey/mapper'
import { declareSeries } from '@rowkey/patterns'
import { it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const MessageStats = defineEntity({
  name: 'stats',
  partitionKey: key`${'employee'}`,
  rowKey: key`${'day'}`,
  schema: z.object({ employee: z.string(), day: z.string() }),
})
const { account, sent } = office()
const options = { prefix: 'h', slots: 24, type: 'Int32' } as const
const perHour = declareSeries(MessageStats, options)
const messages = perHour.on(account)
const days = declareSeries(MessageStats, { prefix: 'on_', slots: ['mon', 'tue'], type: 'Double' })
const perDay = days.on(account)
const declare = declareSeries as (...args: unknown[]) => unknown
const jones = { employee: 'jones', day: '2026-11-22' }

const names = /series|employee|slot|h09/i
const calls: readonly Call[] = [
  { name: 'declareSeries', run: declare, args: [MessageStats, options], valid: [[], []], names },
  ...(['prefix', 'slots', 'type'] as const).map((name) => ({
    name: `the option ${name}`,
    run: (value: unknown) => declare(MessageStats, { ...options, [name]: value }),
    args: [options[name]],
    valid: [{ prefix: [], slots: ['a number'], type: [] }[name]] as Call['valid'],
    names: new RegExp(`${name}|series|property name`),
  })),
  {
    name: 'a name of a slot',
    run: (slot) => declare(MessageStats, { ...options, slots: [slot] }),
    args: ['mon'],
    valid: [[]],
    names: /slots|property name/,
  },
  method(perHour, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(messages, 'set', {
    args: [jones, 9, 12, {}],
    valid: [[], ['a number'], ['a number'], OPTIONS],
    names,
  }),
  method(perDay, 'set', {
    args: [jones, 'mon', 12, {}],
    valid: [[], [], ['a number'], OPTIONS],
    names: /series|employee|slot|on_mon/i,
  }),
  ...(['setAll', 'rowOf'] as const).map((name) =>
    method(messages, name, {
      args: [jones, [1, 2], ...(name === 'setAll' ? [{}] : [])],
      valid: [[], ['an array', 'an object'], OPTIONS],
      names,
    }),
  ),
  method(messages, 'add', {
    args: [jones, 9, 12, {}],
    valid: [[], ['a number'], ['a number'], OPTIONS],
    names,
  }),
  method(messages, 'read', { args: [jones, {}], valid: [[], OPTIONS], names }),
  method(messages, 'query', {
    args: [{ employee: 'jones' }, {}],
    valid: [['a function'], OPTIONS],
    names: /where|condition|series|scan/i,
  }),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
