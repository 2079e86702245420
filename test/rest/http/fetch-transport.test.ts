import { fetchTransport } from '@rowkey/rest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, put } from './loopback-requests.ts'
import { itCarriesRequests } from './transport-contract.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('fetchTransport', () => {
  itCarriesRequests(fetchTransport)

  it('rejects a redirect that a browser hides', async () => {
    const opaque = { type: 'opaqueredirect', status: 0, body: null } as Response
    const response = fetchTransport({ fetch: async () => opaque })(put('https://contoso.example'))
    await expect(response).rejects.toMatchObject({
      code: 'UnexpectedResponse',
      mayHaveApplied: false,
      message: expect.stringContaining('redirect'),
    })
  })

  it('looks up the global fetch for each request', async () => {
    const transport = fetchTransport()
    vi.stubGlobal('fetch', async () => new Response('mocked', { status: 201 }))
    expect(await transport(get('http://127.0.0.1:1'))).toMatchObject({
      status: 201,
      body: 'mocked',
    })
  })

  it('sends through the given fetch', async () => {
    const urls: unknown[] = []
    const transport = fetchTransport({
      fetch: async (url) => {
        urls.push(url)
        return new Response(null, { status: 204 })
      },
    })
    expect(await transport({ ...get('https://a.example'), path: '/t', query: '$top=1' })).toEqual({
      status: 204,
      headers: {},
      body: '',
    })
    expect(urls).toEqual(['https://a.example/t?$top=1'])
  })

  it('says that a write may have been applied when fetch gives no reason, as in a browser', async () => {
    const transport = fetchTransport({
      fetch: async () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await expect(transport(put('https://a.example'))).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
    })
  })

  it('accepts a reason that is not an error', async () => {
    const transport = fetchTransport({ fetch: () => Promise.reject('gone') })
    await expect(transport(get('https://a.example'))).rejects.toMatchObject({
      code: 'TransportFailed',
      cause: { message: 'gone' },
    })
  })

  it('ends a fetch that ignores its signal', async () => {
    const transport = fetchTransport({ fetch: () => new Promise(() => {}) })
    await expect(transport(get('https://a.example'), { timeout: 1 })).rejects.toMatchObject({
      code: 'AttemptTimeout',
    })
  })

  it.each([
    [{ fetch: 'x' }, 'fetch'],
    [{ fetch: null }, 'fetch'],
    [{ agent: {} }, 'agent'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => fetchTransport(options as never)).toThrow(name)
  })
})
