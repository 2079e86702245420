import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { modelOf } from './model-of.ts'

describe('a pulled model', () => {
  it('has a class for each value of a discriminator, and a union of them', async () => {
    const rows = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0
        ? new DynamicEntity('a', `${n}`, { EntityType: 'Order', total: 1 })
        : new DynamicEntity('a', `${n}`, { EntityType: 'Customer', name: 'x' }),
    )
    const text = await modelOf(rows)
    expect(text).toContain(
      "@Entity({ name: 'people', discriminator: { 'EntityType': 'Order' } })\nexport class OrderRow {",
    )
    expect(text).toContain('export const rows = union(CustomerRow, OrderRow)')
    expect(text).not.toContain('total?')
  })
})
