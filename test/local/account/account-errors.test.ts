import { localTableService } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const failureOf = (accounts: unknown) => {
  try {
    localTableService({ accounts } as object)
  } catch (error) {
    return error
  }
  return undefined
}

describe('the accounts of a service', () => {
  it.each([
    [[], /at least one/],
    ['contoso', /at least one/],
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
        { name: 'contoso', key: 'CCCC' },
      ],
      /more than 2 keys/,
    ],
  ])('are rejected when they are %j', (accounts, message) => {
    const failure = failureOf(accounts)
    expect(failure).toBeInstanceOf(InputError)
    expect(failure).toMatchObject({
      code: 'InvalidAccount',
      message: expect.stringMatching(message),
    })
  })

  it('are named in an error without their keys', () => {
    const failure = failureOf([{ name: 'contoso', key: 'sec ret' }]) as InputError
    expect(failure.message + failure.stack).not.toContain('sec ret')
  })
})
