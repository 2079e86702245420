import { key } from '@rowkey/mapper'
import { declareIdLists } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const definition = { rowKey: key`lastname_${'lastName'}` }
const { account, sent } = office()
const lists = declareIdLists(defineEmployee(), { lastName: definition })
const listed = lists.on(account)
const declare = declareIdLists as (...args: unknown[]) => unknown
const jones = { department: 'Sales', lastName: 'Jones' }

const names = /id ?list|department/i
const calls: readonly Call[] = [
  {
    name: 'declareIdLists',
    run: declare,
    args: [defineEmployee(), {}],
    valid: [[], ['an object']],
    names,
  },
  {
    name: 'a definition',
    run: (given) => declare(defineEmployee(), { lastName: given }),
    args: [definition],
    valid: [[]],
    names,
  },
  {
    name: 'rowKey',
    run: (rowKey) => declare(defineEmployee(), { lastName: { rowKey } }),
    args: [definition.rowKey],
    valid: [[]],
    names,
  },
  method(lists, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  {
    name: 'the name of a table',
    run: (name) => lists.on(account, { name }),
    args: ['staff'],
    valid: [['undefined']],
    names: /id list|table/i,
  },
  ...(['rowKeys', 'query'] as const).map((name) =>
    method(listed, name, { args: ['lastName', jones, {}], valid: [[], [], OPTIONS], names }),
  ),
  {
    name: 'the value of a list',
    run: (lastName) => listed.rowKeys('lastName', { ...jones, lastName }),
    args: ['Jones'],
    valid: [['a text']],
    names: /id list|lastName/i,
  },
  {
    name: 'concurrency',
    run: (concurrency) => listed.query('lastName', jones, { concurrency }),
    args: [8],
    valid: [['undefined', 'a number']],
    names: /concurrency/,
  },
  ...(['verify', 'rebuild'] as const).map((name) =>
    method(listed, name, { args: [jones, {}], valid: [[], OPTIONS], names }),
  ),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
