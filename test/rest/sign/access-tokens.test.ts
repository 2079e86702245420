import { type AccessToken, endpointOf } from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import {
  challengedTenant,
  issueAccessToken,
  tokenScope,
} from '../../../packages/rest/src/sign/access-tokens.ts'

const MINUTE = 60_000
const scope = 'https://storage.azure.com/.default'

const issue = (given: unknown, now = 0) =>
  issueAccessToken({
    credential: { getToken: async () => given as AccessToken },
    scope,
    tenantId: undefined,
    now,
  })

describe('issueAccessToken', () => {
  it.each([
    ['5 minutes before it ends', { expiresOnTimestamp: 60 * MINUTE }, 55],
    ['at half of a short life', { expiresOnTimestamp: 6 * MINUTE }, 3],
    ['when it says so', { expiresOnTimestamp: 60 * MINUTE, refreshAfterTimestamp: MINUTE }, 1],
  ])('renews a token %s', async (_, times, minutes) => {
    const issued = await issue({ token: 'c2VjcmV0', ...times })
    expect(issued).toEqual({
      token: 'c2VjcmV0',
      renewAt: minutes * MINUTE,
      expires: times.expiresOnTimestamp,
    })
  })

  it('passes on the tenant', async () => {
    const getToken = vi.fn(async () => ({ token: 'x', expiresOnTimestamp: 1 }))
    await issueAccessToken({ credential: { getToken }, scope, tenantId: undefined, now: 0 })
    await issueAccessToken({ credential: { getToken }, scope, tenantId: '3f2a', now: 0 })
    expect(getToken.mock.calls).toStrictEqual([
      [scope, {}],
      [scope, { tenantId: '3f2a' }],
    ])
  })

  it.each([
    null,
    undefined,
    {},
    { token: 'c2VjcmV0' },
    { token: '', expiresOnTimestamp: 60 },
    { token: 7, expiresOnTimestamp: 60 },
    { token: 'c2VjcmV0\r\nx: y', expiresOnTimestamp: 60 },
    { token: 'c2VjcmV0', expiresOnTimestamp: 10 },
    { token: 'c2VjcmV0', expiresOnTimestamp: '60' },
  ])('rejects %j without showing a token', async (given) => {
    const error = await issue(given, 10).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CredentialUnavailable', mayHaveApplied: false })
    expect(String(error)).toContain("this machine's clock, which says 1970-01-01T00:00:00.010Z.")
    expect(String(error)).not.toContain('c2VjcmV0')
  })

  it('keeps the error of the credential as the cause', async () => {
    const cause = new Error('sign in first')
    const credential = {
      getToken: () => {
        throw cause
      },
    }
    const work = issueAccessToken({ credential, scope, tenantId: undefined, now: 0 })
    await expect(work).rejects.toMatchObject({ code: 'CredentialUnavailable', cause })
  })
})

describe('tokenScope', () => {
  it.each([
    ['https://contoso.table.core.windows.net', 'https://storage.azure.com/.default'],
    ['https://contoso.z01.table.storage.azure.net', 'https://storage.azure.com/.default'],
    ['https://contoso.table.core.chinacloudapi.cn', 'https://storage.azure.cn/.default'],
    ['https://contoso.table.core.usgovcloudapi.net', 'https://storage.azure.us/.default'],
    ['https://contoso.table.cosmos.azure.com:443', 'https://cosmos.azure.com/.default'],
    ['https://contoso.table.cosmos.azure.cn:8443', 'https://cosmos.azure.cn/.default'],
    ['https://contoso.table.cosmos.azure.us', 'https://cosmos.azure.us/.default'],
  ])('R-177: for %s is %s', (url, scope) => {
    expect(tokenScope(endpointOf(url))).toBe(scope)
  })
})

const tenantOf = (challenge?: string) =>
  challengedTenant({
    status: 401,
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
    body: '',
  })

describe('challengedTenant', () => {
  it.each([
    'Bearer authorization_uri=https://login.microsoftonline.com/3f2a-b1/oauth2/authorize resource_id=https://storage.azure.com',
    'Bearer authorization_uri="https://login.microsoftonline.com/3f2a-b1", resource_id="x"',
    'bearer resource_id=x, authorization="https://login.microsoftonline.us/3f2a-b1/"',
  ])('finds the tenant in %s', (challenge) => {
    expect(tenantOf(challenge)).toBe('3f2a-b1')
  })

  it.each([
    undefined,
    '',
    'Basic realm="x"',
    'Basic authorization_uri=https://login.microsoftonline.com/3f2a-b1',
    'Bearer resource_id=https://storage.azure.com',
    'Bearer authorization_uri=nonsense',
    'Bearer authorization_uri=https://login.microsoftonline.com/',
    'Bearer authorization_uri=https://login.microsoftonline.com/a%2Fb/oauth2',
  ])('finds no tenant in %j', (challenge) => {
    expect(tenantOf(challenge)).toBeUndefined()
  })
})
