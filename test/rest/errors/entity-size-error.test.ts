import { InputError } from '@rowkey/odata'
import { EntitySizeError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('EntitySizeError', () => {
  it('is an InputError that knows the property, the size and the limit', () => {
    const error = new EntitySizeError({ message: 'no', property: 'photo', size: 2, limit: 1 })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'EntitySizeError',
      code: 'EntityTooLarge',
      property: 'photo',
      size: 2,
      limit: 1,
    })
  })
})
