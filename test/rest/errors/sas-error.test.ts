import { InputError } from '@rowkey/odata'
import { SasError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('SasError', () => {
  it('is an InputError with a name and a code of its own', () => {
    const error = new SasError({ message: 'no' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ name: 'SasError', code: 'InvalidSas', message: 'no' })
  })
})
