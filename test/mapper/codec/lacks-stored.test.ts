import { codecOf, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { Customer } from '../customer.ts'

const codec = codecOf(modelOf(Customer))
const row = { PartitionKey: 'Smith', RowKey: 'Jeff', cea: 'j@contoso.com', 'odata.etag': 'W/"1"' }

describe('lacksStored', () => {
  it('is so when a stored value was taken away', () => {
    const jeff = codec.read(row)
    expect(codec.lacksStored(jeff)).toBe(false)
    Object.assign(jeff, { customerEmailAddress: undefined })
    expect(codec.lacksStored(jeff)).toBe(true)
    Object.assign(jeff, { customerEmailAddress: null })
    expect(codec.lacksStored(jeff)).toBe(true)
    jeff.customerEmailAddress = ''
    expect(codec.lacksStored(jeff)).toBe(false)
  })

  it('is not so of what was not stored, not read, or not read whole', () => {
    expect(codec.lacksStored(codec.read({ ...row, cea: null }))).toBe(false)
    expect(codec.lacksStored(new Customer())).toBe(false)
    const part = codec.readPart(row)
    Object.assign(part, { customerEmailAddress: undefined })
    expect(codec.lacksStored(part)).toBe(false)
  })
})
