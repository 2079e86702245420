import { key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { partsIn } from '../../../packages/mapper/src/keys/key-codec.ts'

describe('partsIn', () => {
  it('finds the parts of both keys that can be read back', () => {
    const parts = partsIn({
      partitionKey: key`p${'state'};${'mail:hash'}`,
      rowKey: key`${'no:8'}`,
    })
    expect(parts.map(({ property }) => property)).toEqual(['state', 'no'])
  })
})
