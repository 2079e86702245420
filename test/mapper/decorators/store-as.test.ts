import { codecOf, modelOf, PartitionKey, RowKey, StoreAs } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Customer {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @StoreAs('cea') customerEmailAddress = ''
}

describe('@StoreAs', () => {
  const codec = codecOf(modelOf(Customer))

  it('R-98: stores a member under another name', () => {
    const customer = Object.assign(new Customer(), { customerEmailAddress: 'jeff@contoso.com' })
    expect(JSON.parse(codec.write(customer))).toEqual({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      cea: 'jeff@contoso.com',
    })
  })

  it('R-98: reads it back from there, and from nowhere else', () => {
    const raw = { PartitionKey: 'a', RowKey: 'b', cea: 'x', customerEmailAddress: 'y' }
    expect(codec.read(raw).customerEmailAddress).toBe('x')
  })
})
