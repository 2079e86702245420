import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkFaultRule } from '../../../packages/local/src/faults/faults.ts'

const fault = { kind: 'lost response' } as const

describe('checkFaultRule', () => {
  it.each([
    { fault },
    { fault, nth: 1, every: 2, times: 3, probability: 0 },
    { fault, operation: ['getEntity', 'preflightTableRequest'], method: 'MERGE' },
    { fault, location: 'secondary' },
    { fault, probability: 1, when: () => true, operation: 'getEntity', table: 'x' },
  ] as const)('accepts %o', (rule) => {
    expect(() => checkFaultRule(rule)).not.toThrow()
  })

  it.each([
    null,
    {},
    { fault: { kind: 'lost' } },
    { fault, nth: 0 },
    { fault, every: 1.5 },
    { fault, times: '3' },
    { fault, probability: 1.1 },
    { fault, probability: 'often' },
    { fault, probability: null },
    { fault, probability: '0.5' },
    { fault, probability: 1n },
    { fault, operation: 'getentity' },
    { fault, operation: [] },
    { fault, operation: ['getEntity', null] },
    { fault, table: 42 },
    { fault, table: '' },
    { fault, method: 'get' },
    { fault, location: 'tertiary' },
    { fault, when: true },
    { fault, operations: ['getEntity'] },
  ])('rejects %o', (rule) => {
    expect(() => checkFaultRule(rule as never)).toThrow(InputError)
  })
})
