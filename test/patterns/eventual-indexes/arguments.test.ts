import { key } from '@rowkey/mapper'
import { declareEventualIndexes } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, type Garbage, method, OPTIONS, wrongCalls } from '../garbage.ts'

const sales = { department: 'Sales', email: 'a@x' }
const place = { table: 'employees', partitionKey: 'Sales' }
const definition = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
const announce = async () => {}
const { account, sent } = office()
const indexes = declareEventualIndexes(defineEmployee(), { email: definition }, { announce })
const indexed = indexes.on(account)
await account.createTable('employees')
await indexed.state('email')
for await (const _ of indexed.query('email', { email: 'a@x' })) break
const declare = declareEventualIndexes as (...args: unknown[]) => unknown
const declareWith = (given: unknown, options: object = {}) =>
  declare(defineEmployee(), { email: given }, { announce, ...options })

const names = /index|department/i
const calls: readonly Call[] = [
  {
    name: 'declareEventualIndexes',
    run: declare,
    args: [defineEmployee(), {}, { announce }],
    valid: [[], ['an object'], []],
    names: /declareEventualIndexes/,
  },
  { name: 'a definition', run: declareWith, args: [definition], valid: [[]], names },
  option('partitionKey', definition.partitionKey, []),
  option('rowKey', definition.rowKey, []),
  option('table', 'lookups', ['undefined', 'a text']),
  option('project', ['firstName'], ['undefined', 'an array']),
  option('where', () => true, ['undefined', 'a function']),
  setting('announce', announce, ['a function']),
  setting('writeTimeout', 1, ['undefined', 'a number']),
  setting('lease', 1, ['undefined', 'a number']),
  method(indexes, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(indexed, 'deliver', { args: [place, {}], valid: [[], OPTIONS], names: /deliver/ }),
  method(indexed, 'sweep', { args: [{}], valid: [OPTIONS], names: /sweep/ }),
  ...(['copies', 'state'] as const).map((name) =>
    method(indexed, name, { args: ['email', {}], valid: [[], OPTIONS], names }),
  ),
  method(indexed, 'refresh', { args: [sales, {}], valid: [[], OPTIONS], names }),
  ...(['verify', 'repair', 'build'] as const).map((name) =>
    method(indexed, name, { args: [{}], valid: [OPTIONS], names: /table employees/ }),
  ),
]

function option(name: string, right: unknown, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => declareWith({ ...definition, [name]: given })
  return { name, run, args: [right], valid: [valid], names: new RegExp(`${name}.*index email`) }
}

function setting(name: string, right: unknown, valid: readonly Garbage[]): Call {
  const run = (given: unknown) => declareWith(definition, { [name]: given })
  const message = new RegExp(`${name} of declareEventualIndexes`)
  return { name, run, args: [right], valid: [valid], names: message }
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
