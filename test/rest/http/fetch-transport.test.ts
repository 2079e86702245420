import type { RequestListener } from 'node:http'
import { fetchTransport, type HttpRequest } from '@rowkey/rest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bodyOf, type LoopbackServer, loopbackServer } from './loopback-server.ts'

const cleanUps: (() => Promise<void>)[] = []

afterEach(async () => {
  vi.unstubAllGlobals()
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function started(listener: RequestListener): Promise<LoopbackServer> {
  const server = await loopbackServer(listener)
  cleanUps.push(server.close)
  return server
}

const get = (origin: string): HttpRequest => ({
  method: 'GET',
  origin,
  path: "/people(PartitionKey='Smith',RowKey='Jeff')",
  query: '',
  headers: { accept: 'application/json' },
  body: undefined,
})

const put = (origin: string): HttpRequest => ({ ...get(origin), method: 'PUT', body: '{"a":"ä"}' })

describe('fetchTransport', () => {
  it.each(['DELETE', 'MERGE', 'PATCH', 'POST', 'PUT'] as const)(
    'sends %s with path, query, headers and body as they are',
    async (method) => {
      const seen: unknown[] = []
      const { origin } = await started(async (request, response) => {
        seen.push(request.method, request.url, request.headers['if-match'], await bodyOf(request))
        response.writeHead(204).end()
      })
      const path = "/t(PartitionKey='a''b%2F..',RowKey='%25')"
      const query = '$filter=x%20eq%20%27%C3%A4%27'
      const headers = { 'if-match': '*' }
      await fetchTransport()({ method, origin, path, query, headers, body: '{"a":"ä"}' })
      expect(seen).toEqual([method, `${path}?${query}`, '*', '{"a":"ä"}'])
    },
  )

  it('sends no body when there is none', async () => {
    const { origin } = await started(async (request, response) => {
      response.end(await bodyOf(request))
    })
    expect((await fetchTransport()({ ...put(origin), body: undefined })).body).toBe('')
  })

  it('brings back status, headers in lower case and the body, whatever the status', async () => {
    const { origin } = await started((_, response) => {
      response.writeHead(409, { ETag: 'W/"1"', 'X-Twice': ['a', 'b'] }).end('{"ö":1}')
    })
    const response = await fetchTransport()(get(origin))
    expect(response).toMatchObject({ status: 409, body: '{"ö":1}' })
    expect(response.headers).toMatchObject({ etag: 'W/"1"', 'x-twice': 'a, b' })
  })

  it('joins a body that comes in pieces, cut inside a character', async () => {
    const text = `{"note":"${'€'.repeat(70_000)}"}`
    const bytes = Buffer.from(text)
    const { origin } = await started((_, response) => {
      response.write(bytes.subarray(0, 10))
      setImmediate(() => response.end(bytes.subarray(10)))
    })
    expect((await fetchTransport()(get(origin))).body).toBe(text)
  })

  it('takes a byte order mark off', async () => {
    const { origin } = await started((_, response) => response.end('\ufeff<x/>'))
    expect((await fetchTransport()(get(origin))).body).toBe('<x/>')
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect of status %i', async (status) => {
    const hosts: unknown[] = []
    const elsewhere = await started((request, response) => {
      hosts.push(request.headers.host)
      response.end()
    })
    const { origin } = await started((request, response) => {
      hosts.push(request.headers.host)
      response.writeHead(status, { location: `${elsewhere.origin}/people` }).end()
    })
    for (const send of [get, put]) {
      expect(await fetchTransport()(send(origin))).toMatchObject({ status })
    }
    expect(hosts).toEqual([origin, origin].map((url) => new URL(url).host))
  })

  it('refuses the redirect that a browser does not show', async () => {
    const opaque = { type: 'opaqueredirect', status: 0, body: null } as Response
    const answer = fetchTransport({ fetch: async () => opaque })(put('https://contoso.example'))
    await expect(answer).rejects.toMatchObject({
      code: 'UnexpectedAnswer',
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

  it('sends through a fetch that it is given', async () => {
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

  describe('when no connection comes about', () => {
    it('names host and port of one that refuses, and knows that nothing was sent', async () => {
      const { origin, close } = await loopbackServer(() => {})
      await close()
      await expect(fetchTransport()(put(origin))).rejects.toMatchObject({
        code: 'ConnectionFailed',
        failure: 'refused',
        mayHaveApplied: false,
        message: expect.stringContaining(origin),
      })
    })

    it('names a host that nobody knows', async () => {
      await expect(fetchTransport()(put('http://contoso.invalid'))).rejects.toMatchObject({
        code: 'ConnectionFailed',
        failure: 'dns',
        mayHaveApplied: false,
      })
    })

    it('says so once it is closed', async () => {
      const transport = fetchTransport()
      await transport.close?.()
      await expect(transport(put('http://127.0.0.1:1'))).rejects.toMatchObject({
        code: 'ConnectionFailed',
        failure: 'closed',
        mayHaveApplied: false,
      })
    })
  })

  describe('when the answer is lost', () => {
    it.each([
      ['a write may have been applied', put, true],
      ['a read never changes anything', get, false],
    ])('by a reset, %s', async (_, request, mayHaveApplied) => {
      const { origin } = await started((incoming) => incoming.socket.resetAndDestroy())
      const answer = fetchTransport()(request(origin))
      await expect(answer).rejects.toMatchObject({ code: 'TransportFailed', mayHaveApplied })
    })

    it('without a word why, as in a browser, a write may have been applied', async () => {
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

    it('for a reason that is no error, it is lost all the same', async () => {
      const transport = fetchTransport({ fetch: () => Promise.reject('gone') })
      await expect(transport(get('https://a.example'))).rejects.toMatchObject({
        code: 'TransportFailed',
        cause: { message: 'gone' },
      })
    })

    it('in the middle of its body, it is not taken for a whole one', async () => {
      const { origin } = await started((incoming, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"value":[')
        setImmediate(() => incoming.socket.end())
      })
      await expect(fetchTransport()(get(origin))).rejects.toMatchObject({ code: 'TransportFailed' })
    })

    it('in chunks that never end, it is not taken for a whole one', async () => {
      const { origin } = await started((incoming, response) => {
        response.write('{"value":[]}')
        setImmediate(() => incoming.socket.end())
      })
      await expect(fetchTransport()(get(origin))).rejects.toMatchObject({ code: 'TransportFailed' })
    })
  })

  describe('when the answer takes too long', () => {
    it('ends an attempt that is never answered', async () => {
      const { origin } = await started(() => {})
      await expect(fetchTransport()(put(origin), { timeout: 30 })).rejects.toMatchObject({
        name: 'AttemptTimeoutError',
        mayHaveApplied: true,
      })
    })

    it('counts the body, too', async () => {
      const { origin } = await started((_, response) => {
        response.writeHead(200)
        response.write('{')
      })
      await expect(fetchTransport()(get(origin), { timeout: 30 })).rejects.toMatchObject({
        code: 'AttemptTimeout',
        mayHaveApplied: false,
      })
    })

    it('ends also a fetch that does not listen to its signal', async () => {
      const transport = fetchTransport({ fetch: () => new Promise(() => {}) })
      await expect(transport(get('https://a.example'), { timeout: 1 })).rejects.toMatchObject({
        code: 'AttemptTimeout',
      })
    })
  })

  describe('when the signal aborts', () => {
    it('sends nothing if it had already', async () => {
      let requests = 0
      const { origin } = await started(() => requests++)
      const signal = AbortSignal.abort('enough')
      await expect(fetchTransport()(put(origin), { signal })).rejects.toMatchObject({
        name: 'AbortError',
        cause: 'enough',
        mayHaveApplied: false,
      })
      expect(requests).toBe(0)
    })

    it('ends a request that was sent, and says that it may have been applied', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const { origin } = await started(() => controller.abort(reason))
      const { signal } = controller
      await expect(fetchTransport()(put(origin), { signal })).rejects.toMatchObject({
        name: 'AbortError',
        cause: reason,
        mayHaveApplied: true,
      })
    })

    it('ends a request in the middle of its answer', async () => {
      const controller = new AbortController()
      const { origin } = await started((_, response) => {
        response.writeHead(200)
        response.write('{', () => controller.abort())
      })
      const answer = fetchTransport()(get(origin), { signal: controller.signal })
      await expect(answer).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    })
  })

  it('refuses an answer longer than 16 MiB', async () => {
    const { origin } = await started((_, response) => {
      response.on('error', () => {})
      response.end(Buffer.alloc(16 * 1024 * 1024 + 1, 32))
    })
    await expect(fetchTransport()(get(origin))).rejects.toMatchObject({
      code: 'UnexpectedAnswer',
      mayHaveApplied: false,
    })
  })

  it.each([
    ['read', get, false],
    ['write', put, true],
  ])('refuses bytes that are not UTF-8, also after a %s', async (_, request, mayHaveApplied) => {
    const { origin } = await started((__, response) => response.end(Buffer.from([0x7b, 0xff])))
    await expect(fetchTransport()(request(origin))).rejects.toMatchObject({
      code: 'UnexpectedAnswer',
      mayHaveApplied,
      message: expect.stringContaining('UTF-8'),
    })
  })

  it('shows no query in an error, since a SAS may be in it', async () => {
    const { origin } = await started((incoming) => incoming.socket.resetAndDestroy())
    const request = { ...put(origin), query: 'sv=1&sig=c2VjcmV0' }
    const error = await fetchTransport()(request).catch((reason: unknown) => reason)
    expect((error as Error).message).toContain('PUT')
    expect((error as Error).stack).not.toContain('c2VjcmV0')
  })

  it.each([
    [{ fetch: 'x' }, 'fetch'],
    [{ fetch: null }, 'fetch'],
    [{ agent: {} }, 'agent'],
  ])('refuses the options %j, and names the one that is wrong', (options, name) => {
    expect(() => fetchTransport(options as never)).toThrow(name)
  })
})
