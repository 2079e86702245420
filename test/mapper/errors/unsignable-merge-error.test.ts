import { UnsignableMergeError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('UnsignableMergeError', () => {
  it('is an InputError with a code of its own', () => {
    const error = new UnsignableMergeError({ message: 'No.' })
    expect(error).toMatchObject({ name: 'UnsignableMergeError', code: 'UnsignableMerge' })
    expect(error).toBeInstanceOf(InputError)
  })
})
