import { COMPARISON_OPERATORS } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('COMPARISON_OPERATORS', () => {
  it('are the six of the service', () => {
    expect([...COMPARISON_OPERATORS].sort()).toEqual(['eq', 'ge', 'gt', 'le', 'lt', 'ne'])
  })
})
