import { KeyRingError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('KeyRingError', () => {
  it('is an InputError with a code of its own', () => {
    const error = new KeyRingError({ message: 'No.' })
    expect(error).toMatchObject({ name: 'KeyRingError', code: 'InvalidKeyRing' })
    expect(error).toBeInstanceOf(InputError)
  })
})
