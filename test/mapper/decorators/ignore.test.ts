import { codecOf, Ignore, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Customer {
  @PartitionKey() customerGroup = 'retail'
  @RowKey() key = '0001'
  @Ignore() selected = false
  @Ignore() cache = new Map<string, string>()
  /** A friendlier view of the key. */
  @Ignore() get customerId(): number {
    return Number(this.key)
  }
  set customerId(id: number) {
    this.key = String(id).padStart(4, '0')
  }
}

describe('@Ignore', () => {
  const codec = codecOf(modelOf(Customer))

  it('R-99: keeps a member out of what is stored', () => {
    const customer = Object.assign(new Customer(), { selected: true, customerId: 12 })
    expect(codec.write(customer)).toBe('{"PartitionKey":"retail","RowKey":"0012"}')
  })

  it('R-99: keeps a member from being read', () => {
    const raw = { PartitionKey: 'retail', RowKey: '0007', selected: true, customerId: 99 }
    const customer = codec.read(raw)
    expect(customer.selected).toBe(false)
    expect(customer.customerId).toBe(7)
  })

  it('takes a member of any type', () => {
    expect(modelOf(Customer).ignored).toEqual(
      expect.arrayContaining(['selected', 'cache', 'customerId']),
    )
  })
})
