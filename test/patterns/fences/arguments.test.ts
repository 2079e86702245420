import { declareFences } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const { account, sent } = office()
const fences = declareFences(defineEmployee())
const sales = { department: 'Sales' }
await account.createTable('employees')
const fence = await fences.on(account).take(sales, 'import')
sent.length = 0
const declare = declareFences as (...args: unknown[]) => unknown

const names = /fence|department/i
const calls: readonly Call[] = [
  {
    name: 'declareFences',
    run: declare,
    args: [defineEmployee(), {}],
    valid: [[], OPTIONS],
    names,
  },
  {
    name: 'beginning',
    run: (beginning) => declare(defineEmployee(), { beginning }),
    args: ['fence_'],
    valid: [['undefined', 'a text']],
    names,
  },
  method(fences, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(fences.on(account), 'take', {
    args: [sales, 'import', {}],
    valid: [[], [], OPTIONS],
    names,
  }),
  {
    name: 'the name of a table',
    run: (name) => fences.on(account, { name }),
    args: ['staff'],
    valid: [['undefined']],
    names: /fence|table/i,
  },
  method(fence, 'guard', { args: [{}], valid: [OPTIONS], names }),
  {
    name: 'context',
    run: (context) => fence.guard({ context }),
    args: [undefined],
    valid: [['undefined', 'null']],
    names: /context/,
  },
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
