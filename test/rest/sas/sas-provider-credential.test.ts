import { inspect } from 'node:util'
import {
  deleteEntity,
  type HttpRequest,
  noRetry,
  perform,
  SasProviderCredential,
  tableSas,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { contoso, jeff, read, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { inMinutes, now, signer } from './signer.ts'

const MINUTE = 60_000
const noon = now()

/** A provider of tokens of 30 minutes: the first is good until 12:30, the second until 12:45 … */
const provider = () => {
  let count = 0
  return vi.fn(() => {
    const expiry = inMinutes(30 + 15 * count++)
    return tableSas({ credential: signer, table: 'people', permissions: 'r', expiry, now })
  })
}

const endOf = ({ query }: HttpRequest) => new URLSearchParams(query).get('se')?.slice(11, 16)

describe('SasProviderCredential', () => {
  it('R-77: renews a token of 30 minutes after 15, once for all calls', async () => {
    const provide = provider()
    const credential = new SasProviderCredential({ provide })
    const at = async (minutes: number) =>
      endOf(await credential.authorize(read, contoso, noon + minutes * MINUTE))
    expect(await Promise.all([at(0), at(0), at(0)])).toEqual(['12:30', '12:30', '12:30'])
    expect(await at(14.9)).toBe('12:30')
    expect(provide).toHaveBeenCalledTimes(1)
    await Promise.all([at(15), at(15)])
    expect(provide).toHaveBeenCalledTimes(2)
    expect(await at(15.1)).toBe('12:45')
  })

  it('R-77: continues with a valid token when the provider fails, and reports it', async () => {
    const onError = vi.fn()
    const provide = provider()
    const credential = new SasProviderCredential({ provide, onError })
    await credential.authorize(read, contoso, noon)
    provide.mockImplementation(() => {
      throw new Error('no network')
    })
    const late = await credential.authorize(read, contoso, noon + 20 * MINUTE)
    expect(endOf(late)).toBe('12:30')
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'CredentialUnavailable' })
    await expect(credential.authorize(read, contoso, noon + 30 * MINUTE)).rejects.toMatchObject({
      code: 'CredentialUnavailable',
      cause: { message: 'no network' },
    })
  })

  it('renews a token without expiry after 15 minutes', async () => {
    const provide = vi.fn(
      async () =>
        '?sv=2019-02-02&tn=people&si=support&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const credential = new SasProviderCredential({ provide })
    await credential.authorize(read, contoso, noon)
    await credential.authorize(read, contoso, noon + 14 * MINUTE)
    expect(provide).toHaveBeenCalledTimes(1)
    await credential.authorize(read, contoso, noon + 15 * MINUTE)
    expect(provide).toHaveBeenCalledTimes(2)
  })

  it('R-81: rejects what the token does not allow, unless only the service checks', async () => {
    const authorize = async (checks?: 'by the service') =>
      new SasProviderCredential({ provide: provider(), checks }).authorize(write, contoso, noon)
    await expect(authorize()).rejects.toMatchObject({ code: 'OutsideSasScope' })
    await expect(authorize('by the service')).resolves.toBeDefined()
  })

  it.each([
    [
      'an expired token',
      'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D&se=2021-09-21T11:59:59Z',
      'CredentialUnavailable',
    ],
    [
      'a token that expires at this moment',
      'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D&se=2021-09-21T12:00:00Z',
      'CredentialUnavailable',
    ],
    ['no token', '', 'InvalidCredential'],
    ['nothing', undefined, 'CredentialUnavailable'],
    [
      'something else',
      { sas: 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D' },
      'InvalidCredential',
    ],
  ])('rejects %s without showing it', async (_, provided, code) => {
    const credential = new SasProviderCredential({ provide: () => provided as string })
    const error: unknown = await Promise.resolve(credential.authorize(read, contoso, noon)).then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toMatchObject({ code })
    expect(inspect(error)).not.toContain('c2VjcmV0')
  })

  it('shows the clock that a token has expired by', async () => {
    const credential = new SasProviderCredential({ provide: provider() })
    const late = credential.authorize(read, contoso, noon + 60 * MINUTE)
    await expect(late).rejects.toThrow(
      "expired at 2021-09-21T12:30:00.000Z, and this machine's clock says 2021-09-21T13:00:00.000Z",
    )
  })

  it('never shows the token', async () => {
    const credential = new SasProviderCredential({ provide: provider() })
    const { query } = await credential.authorize(read, contoso, noon)
    const signature = new URLSearchParams(query).get('sig') ?? 'none'
    const shown = inspect(credential, { depth: 9, showHidden: true }) + JSON.stringify(credential)
    expect(shown).not.toContain(signature)
  })

  it.each([
    {},
    { provide: 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D' },
    { provide: () => '', onError: 7 },
    { token: '' },
  ])('rejects the options %j', (options) => {
    const make = () => new SasProviderCredential(options as never)
    expect(make).toThrow(expect.objectContaining({ code: expect.stringMatching(/Option/) }))
    expect(make).not.toThrow(/c2VjcmV0/)
  })

  it('asks again after a provider that never responds', async () => {
    const provide = vi.fn(
      async () =>
        'sv=2019-02-02&sp=raud&tn=people&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    provide.mockImplementationOnce(() => new Promise(() => {}))
    const service = tableService({
      endpoint: contoso.origin,
      credential: new SasProviderCredential({ provide }),
      transport: scriptedTransport({ status: 204 }),
      retry: noRetry,
    })
    const remove = (timeout: number) =>
      perform(service, deleteEntity, { ...jeff, etag: '*' }, { timeout })
    await expect(remove(1)).rejects.toMatchObject({ code: 'AttemptTimeout' })
    await remove(2 ** 30)
    expect(provide).toHaveBeenCalledTimes(2)
  })
})
