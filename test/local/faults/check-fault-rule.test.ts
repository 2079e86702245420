import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkFaultRule } from '../../../packages/local/src/faults/faults.ts'

const fault = { kind: 'lost response' } as const

describe('checkFaultRule', () => {
  it.each([
    { fault },
    { fault, nth: 1, times: 3 },
    { fault, operation: ['getEntity', 'preflightTableRequest'] },
    { fault, when: () => true, operation: 'getEntity', table: 'x' },
  ] as const)('accepts %o', (rule) => {
    expect(() => checkFaultRule(rule)).not.toThrow()
  })

  it.each([
    null,
    {},
    { fault: { kind: 'lost' } },
    { fault, nth: 0 },
    { fault, nth: 1.5 },
    { fault, times: '3' },
    { fault, operation: 'getentity' },
    { fault, operation: [] },
    { fault, operation: ['getEntity', null] },
    { fault, table: 42 },
    { fault, table: '' },
    { fault, when: true },
    { fault, operations: ['getEntity'] },
  ])('rejects %o', (rule) => {
    expect(() => checkFaultRule(rule as never)).toThrow(InputError)
  })
})
