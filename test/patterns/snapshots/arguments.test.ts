import { declareSnapshots } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee, office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const { account, sent } = office()
const snapshots = declareSnapshots(defineEmployee())
const table = snapshots.on(account)
const declare = declareSnapshots as (...args: unknown[]) => unknown
const declareWith = (options: object) => declare(defineEmployee(), options)

const names = /snapshot|department/i
const calls: readonly Call[] = [
  {
    name: 'declareSnapshots',
    run: declare,
    args: [defineEmployee(), {}],
    valid: [[], OPTIONS],
    names,
  },
  {
    name: 'rowKey',
    run: (rowKey) => declareWith({ rowKey }),
    args: ['version_'],
    valid: [['undefined', 'a text']],
    names,
  },
  method(snapshots, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(table, 'read', {
    args: [{ department: 'Sales' }, (query: unknown) => query, {}],
    valid: [[], ['undefined'], OPTIONS],
    names,
  }),
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
