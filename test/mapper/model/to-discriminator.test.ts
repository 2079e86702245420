import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { toDiscriminator } from '../../../packages/mapper/src/model/to-discriminator.ts'

describe('toDiscriminator', () => {
  it('is one property and its text', () => {
    const mark = { EntityType: 'Order' }
    expect(toDiscriminator('Order', mark)).toEqual({ property: 'EntityType', value: 'Order' })
    expect(toDiscriminator('Order', undefined)).toBeUndefined()
  })

  it.each([
    {},
    { A: 'x', B: 'y' },
    { A: '' },
    { A: 1 },
    { 'a b': 'x' },
    { RowKey: 'x' },
    null,
    'Order',
  ])('rejects %o', (given) => {
    expect(() => toDiscriminator('Order', given as never)).toThrow(ModelError)
    expect(() => toDiscriminator('Order', given as never)).toThrow("{ EntityType: 'Order' }")
  })
})
