import { inspect } from 'node:util'
import {
  BearerCredential,
  deleteTable,
  getTableAcl,
  type HttpResponse,
  insertEntity,
  noRetry,
  perform,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { contoso, cosmos, emulator, jeff, read } from '../people.ts'

const MINUTE = 60_000
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

  it('keeps the version of Cosmos DB, which names no tenants', async () => {
    const credential = new BearerCredential({ credential: source() })
    const request = insertEntity.toRequest(jeff, cosmos)
    const { headers } = await credential.authorize(request, cosmos, SIGNED_AT)
    expect(headers['x-ms-version']).toBe(request.headers['x-ms-version'])
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

  it('drops also a token that replaced the rejected one, when its tenant is another', async () => {
    const credential = source()
    const bearer = new BearerCredential({ credential })
    const refused = await bearer.authorize(read, contoso, SIGNED_AT)
    bearer.challenged({ ...unauthorized, headers: {} }, contoso, refused)
    await bearer.authorize(read, contoso, SIGNED_AT)
    bearer.challenged(unauthorized, contoso, refused)
    const { headers } = await bearer.authorize(read, contoso, SIGNED_AT)
    expect(headers.authorization).toBe('Bearer token3')
    expect(credential.getToken.mock.lastCall?.[1]).toEqual({ tenantId: '3f2a' })
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
