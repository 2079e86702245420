import { SignatureError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('SignatureError', () => {
  it('says which entity, why, and under which key', () => {
    const error = new SignatureError({
      message: 'No.',
      className: 'Order',
      key: { partitionKey: 'a', rowKey: 'b' },
      reason: 'tampered',
      keyId: 's1',
    })
    expect(error).toMatchObject({
      name: 'SignatureError',
      code: 'SignatureInvalid',
      className: 'Order',
      key: { partitionKey: 'a', rowKey: 'b' },
      reason: 'tampered',
      keyId: 's1',
    })
    expect(isRowkeyError(error)).toBe(true)
    expect(error).not.toBeInstanceOf(InputError)
  })
})
