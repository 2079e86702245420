import { defineEntity, key } from '@rowkey/mapper'
import { periodTables } from '@rowkey/patterns'
import { it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const Login = defineEntity({
  name: 'logins',
  partitionKey: key`${'user'}`,
  rowKey: key`${'at:inverted'}`,
  schema: z.object({ user: z.string(), at: z.date() }),
})
const { account, sent } = office()
const options = { prefix: 'Logins', period: 'day', at: ({ at }: { at: Date }) => at } as const
const logins = periodTables(Login, options).on(account)
const declare = periodTables as (...args: unknown[]) => unknown
const at = new Date('2026-11-22T09:00:00Z')
const span = { from: at, until: new Date('2026-11-23') }

const names = /periodTables|user|logins/i
const calls: readonly Call[] = [
  {
    name: 'periodTables',
    run: declare,
    args: [Login, options],
    valid: [[], []],
    names,
  },
  method(periodTables(Login, options), 'on', { args: [account], valid: [[]], names }),
  ...(['prefix', 'period', 'at'] as const).map((name) => ({
    name: `the option ${name}`,
    run: (value: unknown) => declare(Login, { ...options, [name]: value }),
    args: [options[name]],
    valid: [{ prefix: [], period: [], at: ['a function'] }[name]] as Call['valid'],
    names,
  })),
  method(logins, 'tableAt', { args: [at], valid: [[]], names }),
  method(logins, 'insert', { args: [{ user: 'jones', at }, {}], valid: [[], OPTIONS], names }),
  method(logins, 'write', {
    args: [at, async () => {}, {}],
    valid: [[], ['a function'], OPTIONS],
    names,
  }),
  method(logins, 'query', {
    args: [span, (query: unknown) => query, {}],
    valid: [[], ['undefined', 'a function'], OPTIONS],
    names,
  }),
  ...(['from', 'until'] as const).map((name) => ({
    name: `${name} of a span`,
    run: (value: never) => logins.query({ ...span, [name]: value }),
    args: [at],
    valid: [[]],
    names,
  })),
  method(logins, 'page', {
    args: [span, { size: 1 }, (query: unknown) => query, {}],
    valid: [[], [], ['undefined', 'a function'], OPTIONS],
    names,
  }),
  method(logins, 'periods', { args: [{}], valid: [OPTIONS], names }),
  method(logins, 'dropBefore', { args: [at, {}], valid: [[], OPTIONS], names }),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
