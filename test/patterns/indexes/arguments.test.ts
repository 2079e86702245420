import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, OPTIONS, wrongCalls } from '../garbage.ts'

const sales = { department: 'Sales', email: 'a@x' }
const definition = { rowKey: key`${'email'}`, unique: true }
const { account, sent } = office()
const indexes = declareIndexes(defineEmployee(), { email: definition })
const indexed = indexes.on(account)
await account.createTable('employees')
await indexed.state('email')
await indexed.find('email' as never, sales as never)
const declare = declareIndexes as (...args: unknown[]) => unknown
const declareWith = (given: unknown) => declare(defineEmployee(), { email: given })

const names = /index|department/i
const absent: readonly Garbage[] = ['undefined']
const calls: readonly Call[] = [
  {
    name: 'declareIndexes',
    run: declare,
    args: [defineEmployee(), {}, {}],
    valid: [[], ['an object'], OPTIONS],
    names: /declareIndexes|Entity/,
  },
  {
    name: 'lease',
    run: (lease) => declare(defineEmployee(), {}, { lease }),
    args: [1],
    valid: [['undefined', 'a number']],
    names: /lease of declareIndexes/,
  },
  { name: 'a definition', run: declareWith, args: [definition], valid: [[]], names },
  option('rowKey', definition.rowKey, []),
  option('unique', true, ['undefined', 'a boolean']),
  option('automatic', true, ['undefined', 'a boolean']),
  option('project', ['firstName'], ['undefined', 'an array']),
  option('where', () => true, ['undefined', 'a function']),
  {
    name: 'the name of an index',
    run: (name) => declare(defineEmployee(), { [String(name)]: definition }),
    args: ['email'],
    valid: [['undefined', 'null', 'a number', 'a boolean', 'a bigint']],
    names,
  },
  method(indexes, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  {
    name: 'the name of a table',
    run: (name) => indexes.on(account, { name }),
    args: ['staff'],
    valid: [absent],
    names: /index|table/i,
  },
  method(indexed, 'find', { args: ['email', sales, {}], valid: [[], [], OPTIONS], names }),
  ...(['copies', 'state'] as const).map((name) =>
    method(indexed, name, { args: ['email', {}], valid: [[], OPTIONS], names }),
  ),
  method(indexed, 'drop', { args: ['email', {}], valid: [['a text'], OPTIONS], names }),
  ...(['verify', 'repair', 'build'] as const).map((name) =>
    method(indexed, name, { args: [{}], valid: [OPTIONS], names: /table employees/ }),
  ),
  ...(['verify', 'build'] as const).flatMap((name) => [
    work(name, 'only', ['undefined', 'an array']),
    work(name, 'concurrency', ['undefined', 'a number']),
    work(name, 'onFinding', ['undefined', 'a function']),
    work(name, 'onProgress', ['undefined', 'a function']),
  ]),
  work('verify', 'from', absent),
  work('build', 'takeOverAfter', ['undefined', 'a number']),
]

function option(name: string, right: unknown, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => declareWith({ ...definition, [name]: given })
  return { name, run, args: [right], valid: [valid], names: new RegExp(`${name}.*index email`) }
}

function work(target: 'verify' | 'build', name: string, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => indexed[target]({ [name]: given })
  const message = new RegExp(`${name}|no index|from must`)
  return { name: `${target} ${name}`, run, args: [undefined], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))

it('the correct arguments are accepted', () => {
  expect(declareWith({ ...definition, automatic: false, where: () => true })).toBeDefined()
})

it('an index of another model is rejected by its name', async () => {
  const find = indexed.find('lastName' as never, sales)
  await expect(find).rejects.toThrow(/has no index "lastName". It has: email/)
})
