import { localTableService } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { createTable, DEVELOPMENT_KEY, noRetry, perform, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  keyOfAccount,
  locateAccount,
  primaryOf,
  printConnectionString,
  printOrigin,
  readAccountKeys,
} from '../../../packages/local/src/account/account.ts'
import { SigningKey } from '../../../packages/local/src/platform/crypto.ts'

describe('readAccountKeys', () => {
  it('reads the keys of accounts', () => {
    const keys = readAccountKeys([{ name: 'contoso', key: DEVELOPMENT_KEY }])
    expect(keys.get('contoso')?.toBase64()).toBe(DEVELOPMENT_KEY)
  })

  it.each(['AA==', 'AAA=', 'AAAA', 'AAAAAA=='])('accepts the key %s', (key) => {
    expect(readAccountKeys([{ name: 'contoso', key }]).size).toBe(1)
  })

  it.each(['A', 'AA', 'AAA', 'A===', 'AAAA=', 'AA-_', 'AAAA\n'])('rejects the key %j', (key) => {
    expect(() => readAccountKeys([{ name: 'contoso', key }])).toThrow(
      expect.objectContaining({ code: 'InvalidAccount' }),
    )
  })
})

describe('an account with two keys', () => {
  it('signs with the first, and accepts signatures of both', () => {
    const keys = readAccountKeys([
      { name: 'contoso', key: 'AAAA' },
      { name: 'contoso', key: 'BBBB' },
    ])
    const key = keys.get('contoso')
    expect(key?.toBase64()).toBe('AAAA')
    expect(key?.sign('text')).toBe(new SigningKey('AAAA').sign('text'))
    for (const own of ['AAAA', 'BBBB']) {
      expect(key?.matches('text', new SigningKey(own).sign('text'))).toBe(true)
    }
    expect(key?.matches('text', new SigningKey('CCCC').sign('text'))).toBe(false)
  })
})

describe('keyOfAccount', () => {
  it('returns the key of the first account without a name', () => {
    const keys = readAccountKeys([
      { name: 'contoso', key: 'AAAA' },
      { name: 'fabrikam', key: 'BBBB' },
    ])
    expect(keyOfAccount(keys, undefined).name).toBe('contoso')
    expect(keyOfAccount(keys, 'fabrikam').name).toBe('fabrikam')
  })
})

describe('printConnectionString', () => {
  it('contains protocol, account, key and endpoint', () => {
    const key = new SigningKey('AAAA')
    const text =
      'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=AAAA;TableEndpoint=http://127.0.0.1:7/contoso'
    const account = { name: 'contoso', key }
    expect(printConnectionString('http://127.0.0.1:7', account, 'storage')).toBe(text)
    expect(printConnectionString('http://127.0.0.1:7', account, 'cosmos')).toBe(
      `${text};Flavour=cosmos`,
    )
  })
})

describe('printOrigin', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:7'],
    ['localhost', 'http://localhost:7'],
    ['0.0.0.0', 'http://127.0.0.1:7'],
    ['::', 'http://[::1]:7'],
    ['::1', 'http://[::1]:7'],
  ])('returns an origin that reaches a listener on %s', (host, origin) => {
    expect(printOrigin('http', host, 7)).toBe(origin)
  })
})

const accounts = new Map([['contoso', new SigningKey('AAAA')]])
const locate = (origin: string, path: string) => locateAccount(accounts, { origin, path })

describe('locateAccount', () => {
  it.each([
    ['http://127.0.0.1:10002', '/contoso/Tables', '/contoso', '/Tables'],
    ['http://localhost', '/contoso/', '/contoso', '/'],
    ['http://[::1]:10002', '/contoso', '/contoso', '/'],
    ['http://contoso.table.localhost:10002', '/Tables', '', '/Tables'],
    ['http://Contoso.Table.localhost:10002', '/Tables', '', '/Tables'],
    ['https://contoso.table.core.windows.net', "/Tables('a')", '', "/Tables('a')"],
  ])('finds the account in %s%s', (origin, path, basePath, resourcePath) => {
    const located = { account: 'contoso', isSecondary: false, basePath, resourcePath }
    expect(locate(origin, path)).toEqual(located)
  })

  it.each([
    ['http://127.0.0.1:10002', '/contoso-secondary/Tables', '/contoso-secondary', '/Tables'],
    ['http://127.0.0.1:10002', '/contoso-secondary', '/contoso-secondary', '/'],
    ['https://contoso-secondary.table.core.windows.net', '/Tables', '', '/Tables'],
  ])('R-117: finds the secondary in %s%s', (origin, path, basePath, resourcePath) => {
    const located = { account: 'contoso', isSecondary: true, basePath, resourcePath }
    expect(locate(origin, path)).toEqual(located)
  })

  it('does not use an IP address as the name of an account', () => {
    const key = new SigningKey('AAAA')
    const located = locateAccount(new Map([['127', key]]), {
      origin: 'http://127.0.0.1:10002',
      path: '/127/Tables',
    })
    expect(located).toMatchObject({ account: '127', basePath: '/127', resourcePath: '/Tables' })
  })

  it('rejects an unknown account like a wrong key', () => {
    expect(() => locate('http://localhost', '/fabrikam/Tables')).toThrow(
      expect.objectContaining({ status: 403, code: 'AuthenticationFailed' }),
    )
  })

  it('rejects a path without an account', () => {
    expect(() => locate('http://localhost', '/')).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidUri' }),
    )
  })
})

describe('primaryOf', () => {
  it('removes the suffix once', () => {
    expect(primaryOf('contoso-secondary')).toBe('contoso')
    expect(primaryOf('contoso')).toBe('contoso')
    expect(primaryOf('contoso-secondary-secondary')).toBe('contoso-secondary')
  })
})

const KEY = Buffer.from('a key that guards nothing').toString('base64')

describe('the credential of an embedded account', () => {
  const local = localTableService({
    accounts: [
      { name: 'contoso', key: KEY },
      { name: 'fabrikam', key: 'AAAA' },
    ],
  })
  const createIn = async (account: string, credential = local.credential(account)) => {
    const endpoint = `http://localhost/${account}`
    const service = tableService({
      endpoint,
      credential,
      transport: local.transport,
      retry: noRetry,
    })
    await perform(service, createTable, { table: 'people' })
  }

  it('signs requests for the named account, or for the first', async () => {
    await createIn('fabrikam')
    await createIn('contoso', local.credential())
    expect(local.requests.entries().map(({ account, status }) => [account, status])).toEqual([
      ['fabrikam', 204],
      ['contoso', 204],
    ])
  })

  it('is rejected by another account', async () => {
    await expect(createIn('fabrikam', local.credential('contoso'))).rejects.toMatchObject({
      code: 'AuthenticationFailed',
    })
  })

  it('does not show the key', () => {
    expect(JSON.stringify(local.credential())).not.toContain(KEY)
  })

  it('rejects an unknown account', () => {
    expect(() => local.credential('tailspin')).toThrow(
      expect.objectContaining({ code: 'InvalidAccount' }),
    )
  })
})

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
