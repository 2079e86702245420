import { callOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

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
