import { defineEntity, key } from '@rowkey/mapper'
import { declareCopies } from '@rowkey/patterns'
import { it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const defineDepartment = () =>
  defineEntity({
    name: 'employees',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.int().optional(),
      managerName: z.string().optional(),
    }),
  })
const options = {
  fields: { managerName: 'lastName' },
  source: ({
    department,
    managerId: id,
  }: {
    department: string
    managerId?: number | undefined
  }) => (id === undefined ? undefined : { department, id }),
  holders: ({ department }: { department: string }) => [{ department }],
} as const
const { account, sent } = office()
const managers = declareCopies(defineEmployee(), defineDepartment(), options)
const departments = managers.on(account)
const declare = declareCopies as (...args: unknown[]) => unknown
const declareWith = (given: object) =>
  declare(defineEmployee(), defineDepartment(), { ...options, ...given })
const sales = { department: 'Sales', managerId: 223 }

const names = /cop(?:y|ies)|copied|department|holder|source/i
const calls: readonly Call[] = [
  {
    name: 'declareCopies',
    run: declare,
    args: [defineEmployee(), defineDepartment(), options],
    valid: [[], [], []],
    names,
  },
  ...(['fields', 'source', 'holders', 'eventual', 'name', 'revision'] as const).map((name) => ({
    name: `the option ${name}`,
    run: (value: unknown) => declareWith({ [name]: value }),
    args: [undefined],
    valid: [
      {
        fields: ['an object'],
        source: ['a function'],
        holders: ['a function'],
        eventual: ['undefined', 'a boolean'],
        name: ['undefined'],
        revision: ['undefined', 'a number'],
      }[name],
    ] as Call['valid'],
    names,
  })),
  {
    name: 'a copied property',
    run: (managerName) => declareWith({ fields: { managerName } }),
    args: ['lastName'],
    valid: [['undefined']],
    names,
  },
  ...(['source', 'holder'] as const).map((name) => ({
    name: `the table of the ${name}`,
    run: (table: never) => managers.on(account, { [name]: table }),
    args: ['staff'],
    valid: [['undefined', 'a text']] as Call['valid'],
    names,
  })),
  method(managers, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(departments, 'fill', { args: [sales, {}], valid: [['an object'], OPTIONS], names }),
  method(departments, 'refresh', { args: [sales, {}], valid: [[], OPTIONS], names }),
  {
    name: 'a message with a wrong key',
    run: (partitionKey) => departments.refresh({ partitionKey, rowKey: 'department' }),
    args: ['Sales'],
    valid: [['a text']],
    names: /key/i,
  },
  ...(['state', 'verify', 'repair', 'build'] as const).map((name) =>
    method(departments, name, { args: [{}], valid: [OPTIONS], names }),
  ),
  method(departments, 'drop', {
    args: ['copies', {}],
    valid: [['undefined', 'a text'], OPTIONS],
    names,
  }),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
