import { describe, expect, it } from 'vitest'
import { locateAccount, primaryOf } from '../../../packages/local/src/account/account.ts'
import { SigningKey } from '../../../packages/local/src/platform/crypto.ts'

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
