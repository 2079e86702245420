import { adviseKeys, bucketOf, bucketsOf, mergeSorted } from '@rowkey/patterns'
import { it } from 'vitest'
import { defineEmployee } from '../employees.ts'
import { type Call, expectRejected, wrongCalls } from '../garbage.ts'

const calls: readonly Call[] = [
  {
    name: 'adviseKeys',
    run: adviseKeys as Call['run'],
    args: [defineEmployee(), []],
    valid: [[], ['undefined', 'an array']],
    names: /adviseKeys|class|constructor/i,
  },
  {
    name: 'adviseKeys with one query',
    run: (query) => adviseKeys(defineEmployee(), [query]),
    args: [{ plan: 'point' }],
    valid: [[]],
    names: /adviseKeys/,
  },
  {
    name: 'adviseKeys with one plan',
    run: (plan) => adviseKeys(defineEmployee(), [{ plan }]),
    args: ['point'],
    valid: [[]],
    names: /adviseKeys/,
  },
  {
    name: 'bucketOf',
    run: bucketOf as Call['run'],
    args: ['id', 16],
    valid: [['a text'], ['a number']],
    names: /bucket/,
  },
  {
    name: 'bucketsOf',
    run: bucketsOf as Call['run'],
    args: [16],
    valid: [['a number']],
    names: /bucket/,
  },
  {
    name: 'mergeSorted',
    run: mergeSorted as Call['run'],
    args: [[], () => 0],
    valid: [['an array'], ['a function']],
    names: /mergeSorted/,
  },
  {
    name: 'mergeSorted with one source',
    run: (source) => mergeSorted([source], () => 0),
    args: [[]],
    valid: [[]],
    names: /mergeSorted/,
  },
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, []))
