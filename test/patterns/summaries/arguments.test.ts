import { key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const sales = { department: 'Sales' }
const definition = { rowKey: key`all` }
const { account, sent } = office()
const summaries = declareSummaries(defineEmployee(), { staff: definition })
const table = summaries.on(account)
const declare = declareSummaries as (...args: unknown[]) => unknown
const declareWith = (given: unknown) => declare(defineEmployee(), { staff: given })

const names = /summar|department/i
const calls: readonly Call[] = [
  {
    name: 'declareSummaries',
    run: declare,
    args: [defineEmployee(), {}],
    valid: [[], ['an object']],
    names,
  },
  { name: 'a definition', run: declareWith, args: [definition], valid: [[]], names },
  {
    name: 'rowKey',
    run: (rowKey) => declareWith({ rowKey }),
    args: [definition.rowKey],
    valid: [[]],
    names,
  },
  {
    name: 'sums',
    run: (sums) => declareWith({ ...definition, sums }),
    args: [['age']],
    valid: [['undefined', 'an array']],
    names,
  },
  {
    name: 'a name in sums',
    run: (each) => declareWith({ ...definition, sums: [each] }),
    args: ['age'],
    valid: [[]],
    names,
  },
  {
    name: 'where',
    run: (where) => declareWith({ ...definition, where }),
    args: [() => true],
    valid: [['undefined', 'a function']],
    names,
  },
  method(summaries, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  {
    name: 'the name of a table',
    run: (name) => summaries.on(account, { name }),
    args: ['staff'],
    valid: [['undefined']],
    names: /summar|table/i,
  },
  ...(['get', 'query'] as const).map((name) =>
    method(table, name, { args: ['staff', sales, {}], valid: [[], [], OPTIONS], names }),
  ),
  method(table, 'state', { args: ['staff', {}], valid: [[], OPTIONS], names }),
  method(table, 'drop', { args: ['staff', {}], valid: [['a text'], OPTIONS], names }),
  ...(['verify', 'repair', 'build'] as const).map((name) =>
    method(table, name, { args: [{}], valid: [OPTIONS], names: /table employees/ }),
  ),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))

it('the correct arguments are accepted', () => {
  expect(declareWith({ ...definition, sums: ['age'], where: () => true })).toBeDefined()
})
