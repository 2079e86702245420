import { AccountError, localTableService } from '@rowkey/local'
import { isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const failureOf = (accounts: unknown) => {
  try {
    localTableService({ accounts } as object)
  } catch (error) {
    return error
  }
  return undefined
}

describe('AccountError', () => {
  it.each([
    [[], /No account/],
    ['contoso', /No account/],
    [[undefined], /account name undefined/],
    [[{ name: 'Contoso', key: 'AAAA' }], /"Contoso".*lower-case/],
    [[{ name: 'a', key: 'AAAA' }], /3 to 24/],
    [[{ name: 7, key: 'AAAA' }], /account name 7/],
    [[{ name: 'contoso', key: 'no key' }], /'contoso' is not base64/],
    [[{ name: 'contoso', key: '' }], /'contoso' is not base64/],
    [[{ name: 'contoso' }], /'contoso' is not base64/],
    [
      [
        { name: 'contoso', key: 'AAAA' },
        { name: 'contoso', key: 'BBBB' },
      ],
      /twice/,
    ],
  ])('names what is wrong with %j', (accounts, message) => {
    const failure = failureOf(accounts)
    expect(failure).toBeInstanceOf(AccountError)
    expect(isRowkeyError(failure)).toBe(true)
    expect(failure).toMatchObject({
      code: 'InvalidAccount',
      message: expect.stringMatching(message),
    })
  })

  it('never holds the key', () => {
    const failure = failureOf([{ name: 'contoso', key: 'sec ret' }]) as AccountError
    expect(failure.message + failure.stack).not.toContain('sec ret')
  })
})
