import { InputError } from '@rowkey/odata'
import { AccessPolicyError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AccessPolicyError', () => {
  it('is an InputError with a name and a code of its own', () => {
    const error = new AccessPolicyError({ message: 'no' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'AccessPolicyError',
      code: 'InvalidAccessPolicy',
      message: 'no',
    })
  })
})
