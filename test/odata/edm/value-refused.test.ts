import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { valueRefused } from '../../../packages/odata/src/edm/value-refused.ts'

const messageFor = (given: unknown) => valueRefused('Int32', 'age', given, 'whole numbers').message

describe('valueRefused', () => {
  it('names the property, what was given, and what the type takes', () => {
    const error = valueRefused('Int32', 'age', -0, 'whole numbers')
    expect(error).toBeInstanceOf(PropertyValueError)
    expect(error.message).toBe(
      'Property "age" cannot hold the number -0: Int32 takes whole numbers.',
    )
    expect(error).toMatchObject({ property: 'age', type: 'Int32', code: 'InvalidPropertyValue' })
  })

  it('speaks of the type where nobody knows the name', () => {
    expect(valueRefused('Int32', '', 1.5, 'x').message).toMatch(/^This Int32 cannot hold/)
  })

  it.each([
    [new Date(0), 'the Date 1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'an invalid Date'],
    [new ArrayBuffer(3), '3 bytes'],
    [[1, 2], 'an array of 2'],
    [Object.create(null), 'an object'],
    [Symbol('x'), 'a symbol'],
    [() => 1, 'a function'],
    [10n ** 50n, 'a bigint of 51 digits'],
    [null, 'null'],
  ])('describes %o', (given, description) => {
    expect(messageFor(given)).toContain(description)
  })
})
