import { InputError } from '@rowkey/odata'
import { SasScopeError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('SasScopeError', () => {
  it('is an InputError that says what the token lacks', () => {
    const error = new SasScopeError({ message: 'no', missing: 'permission' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'SasScopeError',
      code: 'OutsideSasScope',
      missing: 'permission',
    })
  })
})
