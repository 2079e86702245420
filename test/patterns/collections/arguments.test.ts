import { declareCollection } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const { account, sent } = office()
const staff = declareCollection({ employees: defineEmployee() })
const table = staff.on(account, 'staff')
const declare = declareCollection as (...args: unknown[]) => unknown

const names = /collection|department/i
const calls: readonly Call[] = [
  { name: 'declareCollection', run: declare, args: [{}], valid: [[]], names },
  {
    name: 'a model',
    run: (employees) => declare({ employees }),
    args: [defineEmployee()],
    valid: [[]],
    names,
  },
  method(staff, 'on', { args: [account, 'staff'], valid: [[], []], names: /collection|table/i }),
  ...(['read', 'query'] as const).map((name) =>
    method(table, name, { args: [{ department: 'Sales' }, {}], valid: [[], OPTIONS], names }),
  ),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
