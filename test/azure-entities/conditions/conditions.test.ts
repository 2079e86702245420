import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { namesOf, storedItems } from '../stored-items.ts'

const { op } = Entity
const { Items, lastFilter } = await storedItems()

describe('conditions', () => {
  it.each([
    [{ count: 2 }, ['item2']],
    [{ count: op.equal(2 ** 40) }, ['item3']],
    [{ count: op.notEqual(2) }, ['item1', 'item3']],
    [{ count: op.lessThan(2) }, ['item1']],
    [{ count: op['<='](2) }, ['item1', 'item2']],
    [{ count: op.gt(2) }, ['item3']],
    [{ count: op.greaterThanOrEqual(2) }, ['item2', 'item3']],
    [{ time: new Date(2_000) }, ['item2']],
    [{ time: op.lessThanOrEqual(new Date(2_000)) }, ['item1', 'item2']],
    [{ active: false }, ['item2']],
    [{ slug: 'nvItOmAyRiOvSSWCAHkobQ' }, ['item1', 'item3']],
    [{ count: op.greaterThan(1), active: true }, ['item3']],
  ])('R-142: %o', async (conditions, expected) => {
    expect(namesOf(await Items.query({ id: 'a', ...conditions }))).toEqual(expected)
  })

  it.each([
    [{ nothing: 1 }, /not declared/],
    [{ text: 'x' }, /cannot be compared/],
    [{ active: op.lessThan(true) }, /has no order/],
    [{ count: undefined }, /a finite number/],
    [{ count: 'two' }, /a finite number/],
  ])('R-142: reject %o', async (conditions, message) => {
    await expect(Items.scan(conditions as object)).rejects.toThrow(message)
  })

  it('R-142: are recognized with instanceof, as in that library', () => {
    expect([op.lt(5) instanceof op, op['=='](5) instanceof op]).toEqual([true, true])
    expect([[5] instanceof op, {} instanceof op]).toEqual([false, false])
  })

  it('R-140: are sent in their order, without those that an exact key covers', async () => {
    await Items.scan({ active: true, id: 'a', count: op.lt(5) })
    const all = "active eq true and id eq 'a' and count lt 5"
    const keyed = "PartitionKey eq 'a' and active eq true and count lt 5"
    const sent = lastFilter()
    await Items.query({ active: true, id: 'a', count: op.lt(5) })
    expect([sent, lastFilter()]).toEqual([all, keyed])
  })
})

describe('scan', () => {
  it.each<unknown>([7, true, 'x', []])('rejects the conditions %j', async (conditions) => {
    await expect(Items.scan(conditions as object)).rejects.toMatchObject({
      code: 'InvalidCondition',
    })
  })
})
