import { inspect } from 'node:util'
import {
  type AccessToken,
  BearerCredential,
  deleteTable,
  endpointOf,
  getTableAcl,
  type HttpResponse,
  insertEntity,
  noRetry,
  perform,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import {
  challengedTenant,
  issueAccessToken,
  tokenScope,
} from '../../../packages/rest/src/sign/bearer-credential.ts'
import { contoso, cosmos, emulator, jeff, read } from '../people.ts'

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
    expect(getToken.mock.calls).toEqual([
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
    { token: 'c2VjcmV0\r\nx: y', expiresOnTimestamp: 60 },
    { token: 'c2VjcmV0', expiresOnTimestamp: 10 },
    { token: 'c2VjcmV0', expiresOnTimestamp: '60' },
  ])('rejects %j without showing a token', async (given) => {
    const error = await issue(given, 10).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CredentialUnavailable', mayHaveApplied: false })
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

const SIGNED_AT = Date.UTC(2021, 8, 21, 1, 6, 13)

/** Tokens `token1`, `token2` … of an hour each. */
const source = () => {
  let count = 0
  return {
    getToken: vi.fn(async (_scope: string, _options?: { readonly tenantId?: string }) => ({
      token: `token${++count}`,
      expiresOnTimestamp: SIGNED_AT + 60 * MINUTE,
    })),
  }
}

const unauthorized: HttpResponse = {
  status: 401,
  headers: {
    'www-authenticate':
      'Bearer authorization_uri=https://login.microsoftonline.com/3f2a/oauth2/authorize resource_id=https://storage.azure.com',
  },
  body: '',
}

describe('BearerCredential', () => {
  it('asks again after a call gave up on a token that never arrives', async () => {
    const tokens = source()
    tokens.getToken.mockImplementationOnce(() => new Promise(() => {}))
    const credential = new BearerCredential({ credential: tokens })
    void credential.authorize(read, contoso, SIGNED_AT)
    credential.abandoned(contoso, SIGNED_AT)
    const { headers } = await credential.authorize(read, contoso, SIGNED_AT)
    expect(headers.authorization).toBe('Bearer token1')
    expect(tokens.getToken).toHaveBeenCalledTimes(2)
  })

  it('adds a date, the token and the version that names tenants', async () => {
    const credential = new BearerCredential({ credential: source() })
    const request = insertEntity.toRequest(jeff, contoso)
    const { headers, ...others } = await credential.authorize(request, contoso, SIGNED_AT)
    const { headers: before, ...same } = request
    expect(others).toEqual(same)
    expect(headers).toEqual({
      ...before,
      authorization: 'Bearer token1',
      'x-ms-date': 'Tue, 21 Sep 2021 01:06:13 GMT',
      'x-ms-version': '2020-12-06',
    })
  })

  it('uses the scope of the service, or the given scope', async () => {
    const credential = source()
    await new BearerCredential({ credential }).authorize(read, contoso, SIGNED_AT)
    const request = { ...read, origin: cosmos.origin }
    await new BearerCredential({ credential }).authorize(request, cosmos, SIGNED_AT)
    await new BearerCredential({ credential, scope: 'x' }).authorize(read, contoso, SIGNED_AT)
    expect(credential.getToken.mock.calls.map(([scope]) => scope)).toEqual([
      'https://storage.azure.com/.default',
      'https://cosmos.azure.com/.default',
      'x',
    ])
  })

  it('keeps a token until 5 minutes before its expiry, for all calls', async () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    const at = async (minutes: number) =>
      (await bearer.authorize(read, contoso, SIGNED_AT + minutes * MINUTE)).headers.authorization
    expect(await Promise.all([at(0), at(0)])).toEqual(['Bearer token1', 'Bearer token1'])
    expect(await at(54)).toBe('Bearer token1')
    expect(credential.getToken).toHaveBeenCalledTimes(1)
    expect(await at(55)).toBe('Bearer token1')
    expect(credential.getToken).toHaveBeenCalledTimes(2)
  })

  it('requests another token from the tenant that a 401 names', async () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    await bearer.authorize(read, contoso, SIGNED_AT)
    expect(bearer.challenged(unauthorized, contoso)).toBe(true)
    const { headers } = await bearer.authorize(read, contoso, SIGNED_AT)
    expect(headers.authorization).toBe('Bearer token2')
    expect(credential.getToken.mock.calls.map(([, options]) => options)).toEqual([
      {},
      { tenantId: '3f2a' },
    ])
  })

  it('shares the next token among calls that are rejected at once', async () => {
    const credential = source()
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new BearerCredential({ credential }),
      now: () => SIGNED_AT,
      retry: noRetry,
      transport: async ({ headers }) =>
        headers.authorization === 'Bearer token1'
          ? unauthorized
          : { status: 204, headers: {}, body: '' },
    })
    const drop = (table: string) => perform(service, deleteTable, { table })
    await Promise.all(['people', 'orders', 'logs'].map(drop))
    expect(credential.getToken).toHaveBeenCalledTimes(2)
  })

  it('keeps a token that has already replaced the rejected one', async () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    const refused = await bearer.authorize(read, contoso, SIGNED_AT)
    bearer.challenged(unauthorized, contoso, refused)
    await bearer.authorize(read, contoso, SIGNED_AT)
    expect(bearer.challenged(unauthorized, contoso, refused)).toBe(true)
    const { headers } = await bearer.authorize(read, contoso, SIGNED_AT)
    expect(headers.authorization).toBe('Bearer token2')
    bearer.challenged(unauthorized, contoso, { ...read, headers })
    const { headers: next } = await bearer.authorize(read, contoso, SIGNED_AT)
    expect(next.authorization).toBe('Bearer token3')
  })

  it('requests another token after a 401 without tenant, from the same tenant', async () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    bearer.challenged(unauthorized, contoso)
    expect(bearer.challenged({ ...unauthorized, headers: {} }, contoso)).toBe(true)
    await bearer.authorize(read, contoso, SIGNED_AT)
    expect(credential.getToken.mock.lastCall?.[1]).toEqual({ tenantId: '3f2a' })
  })

  it('repeats a call once with a token of the named tenant', async () => {
    const credential = source()
    const sent: (string | undefined)[] = []
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new BearerCredential({ credential }),
      now: () => SIGNED_AT,
      retry: noRetry,
      transport: async ({ headers }) => {
        sent.push(headers.authorization)
        return sent.length > 1 ? { status: 204, headers: {}, body: '' } : unauthorized
      },
    })
    await perform(service, deleteTable, { table: 'people' })
    expect(sent).toEqual(['Bearer token1', 'Bearer token2'])
    expect(credential.getToken.mock.lastCall?.[1]).toEqual({ tenantId: '3f2a' })
  })

  it('does not react to another status', () => {
    const bearer = new BearerCredential({ credential: source() })
    expect(bearer.challenged({ ...unauthorized, status: 403 }, contoso)).toBe(false)
  })

  it('never sends a token over plain http, not even to this machine', () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    const request = { ...read, origin: emulator.origin }
    expect(() => bearer.authorize(request, emulator, SIGNED_AT)).toThrow(
      expect.objectContaining({ code: 'InsecureEndpoint' }),
    )
    expect(credential.getToken).not.toHaveBeenCalled()
  })

  it('R-82: rejects stored access policies', () => {
    const bearer = new BearerCredential({ credential: source() })
    const request = getTableAcl.toRequest({ table: 'people' }, contoso)
    expect(() => bearer.authorize(request, contoso, SIGNED_AT)).toThrow(
      expect.objectContaining({ code: 'AccountKeyRequired' }),
    )
  })

  it('never shows the token', async () => {
    const bearer = new BearerCredential({ credential: source() })
    await bearer.authorize(read, contoso, SIGNED_AT)
    const shown = inspect(bearer, { depth: 9, showHidden: true }) + JSON.stringify(bearer)
    expect(shown).not.toContain('token1')
  })

  it.each([
    {},
    { credential: {} },
    { credential: source(), scope: 7 },
    { credential: source(), scope: '' },
    { credential: source(), onError: 'log' },
    { credential: source(), tenant: 'x' },
  ])('rejects the options %j', (options) => {
    expect(() => new BearerCredential(options as never)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/Option/) }),
    )
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
    'Bearer resource_id=https://storage.azure.com',
    'Bearer authorization_uri=nonsense',
    'Bearer authorization_uri=https://login.microsoftonline.com/',
    'Bearer authorization_uri=https://login.microsoftonline.com/a%2Fb/oauth2',
  ])('finds no tenant in %j', (challenge) => {
    expect(tenantOf(challenge)).toBeUndefined()
  })
})
