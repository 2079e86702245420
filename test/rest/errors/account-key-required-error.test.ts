import { InputError } from '@rowkey/odata'
import { AccountKeyRequiredError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AccountKeyRequiredError', () => {
  it('is an InputError with a name and a code of its own', () => {
    const error = new AccountKeyRequiredError({ message: 'no' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'AccountKeyRequiredError',
      code: 'AccountKeyRequired',
      message: 'no',
    })
  })
})
