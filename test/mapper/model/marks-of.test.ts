import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { marksOf } from '../../../packages/mapper/src/model/marks-of.ts'
import { Customer } from '../customer.ts'

describe('marksOf', () => {
  it('is the stored type and version', () => {
    const discriminator = { property: 'EntityType', value: 'Order' }
    const version = { property: 'Version', number: 2 }
    expect(marksOf({ discriminator, version })).toEqual([
      { name: 'EntityType', type: 'String', value: 'Order' },
      { name: 'Version', type: 'Int32', value: 2 },
    ])
  })

  it('is nothing for most models', () => {
    expect(marksOf(modelOf(Customer))).toEqual([])
  })
})
