import { KeyMismatchError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('KeyMismatchError', () => {
  it('is an InputError that programs can tell', () => {
    const error = new KeyMismatchError({ message: 'No.' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ name: 'KeyMismatchError', code: 'KeyMismatch', message: 'No.' })
  })
})
