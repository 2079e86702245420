import { defineEntity, key } from '@rowkey/mapper'
import { wideEntity } from '@rowkey/patterns'
import { it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const schema = z.object({ department: z.string(), id: z.string() })
const part = (at: 1 | 2) =>
  defineEntity({
    name: 'stats',
    partitionKey: key`${'department'}`,
    rowKey: at === 1 ? key`${'id'}_01` : key`${'id'}_02`,
    schema: schema.extend(at === 1 ? { name: z.string().optional() } : {}),
  })
const { account, sent } = office()
const Stats = wideEntity(part(1), part(2))
const stats = Stats.on(account)
const jones = { department: 'Sales', id: '223' }

const names = /wide|department|stats|key/i
const calls: readonly Call[] = [
  {
    name: 'wideEntity',
    run: wideEntity as Call['run'],
    args: [part(1), part(2)],
    valid: [[], []],
    names,
  },
  method(Stats, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  ...(['insert', 'get', 'find', 'query', 'save', 'delete'] as const).map((name) =>
    method(stats, name, { args: [jones, {}], valid: [[], OPTIONS], names }),
  ),
  method(stats, 'modify', {
    args: [jones, () => {}, {}],
    valid: [[], ['a function'], OPTIONS],
    names,
  }),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
