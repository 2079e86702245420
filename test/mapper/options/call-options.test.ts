import { callOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isOverAfter } from '../../../packages/mapper/src/options/call-options.ts'
import { freshAccount } from '../fresh-account.ts'

describe('callOptions', () => {
  it('are the options of every call', () => {
    expect([...callOptions.names].sort()).toEqual([
      'context',
      'deadline',
      'exactWrites',
      'idempotencyKey',
      'locationMode',
      'retry',
      'signal',
      'timeout',
    ])
  })
})

describe('isOverAfter', () => {
  it('is true when a wait ends at the deadline or later', () => {
    const service = { ...freshAccount().service, now: () => 1_000 }
    const deadline = { endsAt: 1_100 }
    expect(isOverAfter(99, service, { deadline })).toBe(false)
    expect(isOverAfter(100, service, { deadline })).toBe(true)
    expect(isOverAfter(1e9, service, {})).toBe(false)
  })
})
