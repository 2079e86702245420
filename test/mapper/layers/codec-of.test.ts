import { codecOf, modelOf } from '@rowkey/mapper'
import { checkKeyText } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'

describe('codecOf', () => {
  it('compiles a codec once for each model', () => {
    const model = modelOf(Customer)
    expect(codecOf(model)).toBe(codecOf(model))
    expect(codecOf({ ...model })).not.toBe(codecOf(model))
  })

  it('compiles another for another check of keys', () => {
    const model = modelOf(Customer)
    const lenient = codecOf(model, checkKeyText)
    expect(lenient).toBe(codecOf(model, checkKeyText))
    const entity = customer('Smith', 'a/b')
    expect(lenient.keyOf(entity)).toEqual({ partitionKey: 'Smith', rowKey: 'a/b' })
    expect(() => codecOf(model).keyOf(entity)).toThrow(
      /^Customer\.firstName: RowKey must not contain /,
    )
  })
})
