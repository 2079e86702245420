import { ConversionError } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('ConversionError', () => {
  it('names the property, what was to be done, and the problem', () => {
    const cause = new TypeError('boom')
    const error = new ConversionError({
      property: 'Order.total',
      action: 'read',
      problem: 'No.',
      cause,
    })
    expect(error.message).toBe('Order.total cannot be read: No.')
    expect(error).toMatchObject({
      name: 'ConversionError',
      code: 'ConversionFailed',
      property: 'Order.total',
      action: 'read',
      cause,
    })
    expect(isRowkeyError(error)).toBe(true)
  })
})
