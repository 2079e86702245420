import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Transport } from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { get, put, started } from './loopback-requests.ts'
import { bodyOf, loopbackServer } from './loopback-server.ts'

/**
 * The behaviour of every network transport.
 *
 * @param transportOf - makes one that is closed when the test has ended
 */
export function itCarriesRequests(transportOf: () => Transport): void {
  it.each(['DELETE', 'MERGE', 'PATCH', 'POST', 'PUT'] as const)(
    'sends %s with path, query, headers and body as they are',
    async (method) => {
      const seen: unknown[] = []
      const { origin } = await started(async (request, response) => {
        seen.push(request.method, request.url, request.headers['if-match'])
        seen.push(request.headers['content-length'], await bodyOf(request))
        response.writeHead(204).end()
      })
      const path = "/t(PartitionKey='a''b%2F..',RowKey='%25')"
      const query = '$filter=x%20eq%20%27%C3%A4%27'
      const headers = { 'if-match': '*' }
      await transportOf()({ method, origin, path, query, headers, body: '{"a":"ä"}' })
      expect(seen).toEqual([method, `${path}?${query}`, '*', '10', '{"a":"ä"}'])
    },
  )

  it('sends no body without one', async () => {
    const { origin } = await started(async (request, response) => {
      response.end(await bodyOf(request))
    })
    expect((await transportOf()({ ...put(origin), body: undefined })).body).toBe('')
  })

  it('returns status, lower-case headers and body, whatever the status', async () => {
    const { origin } = await started((_, response) => {
      response.writeHead(409, { ETag: 'W/"1"', 'X-Twice': ['a', 'b'] }).end('{"ö":1}')
    })
    const response = await transportOf()(get(origin))
    expect(response).toMatchObject({ status: 409, body: '{"ö":1}' })
    expect(response.headers).toMatchObject({ etag: 'W/"1"', 'x-twice': 'a, b' })
  })

  it('joins a body that arrives in pieces, cut inside a character', async () => {
    const text = `{"note":"${'€'.repeat(70_000)}"}`
    const bytes = Buffer.from(text)
    const { origin } = await started((_, response) => {
      response.write(bytes.subarray(0, 10))
      setImmediate(() => response.end(bytes.subarray(10)))
    })
    expect((await transportOf()(get(origin))).body).toBe(text)
  })

  it('removes a byte order mark', async () => {
    const { origin } = await started((_, response) => response.end('\ufeff<x/>'))
    expect((await transportOf()(get(origin))).body).toBe('<x/>')
  })

  it.each([
    ['GET', undefined],
    ['POST', '{"a":1}'],
    ['PUT', '{"a":1}'],
    ['PATCH', '{"a":1}'],
    ['DELETE', undefined],
  ] as const)('keeps its connection open after a %s', async (method, body) => {
    const ports = new Set<number | undefined>()
    const { origin } = await started((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{}')
    })
    const transport = transportOf()
    for (let n = 0; n < 10; n++) await transport({ ...get(origin), method, body })
    // Two, because undici rests a connection for one turn of the event loop.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it('waits for the final response after an informational one', async () => {
    const { origin } = await started((_, response) => {
      response.writeProcessing()
      response.writeHead(200, { etag: 'x' }).end('{}')
    })
    expect(await transportOf()(get(origin))).toMatchObject({ status: 200, body: '{}' })
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
      expect(await transportOf()(send(origin))).toMatchObject({ status })
    }
    expect(hosts).toEqual([origin, origin].map((url) => new URL(url).host))
  })

  describe('when no connection comes about', () => {
    it('names host and port of a refused connection, and says that nothing was sent', async () => {
      const { origin, close } = await loopbackServer(() => {})
      await close()
      await expect(transportOf()(put(origin))).rejects.toMatchObject({
        name: 'TransportError',
        code: 'ConnectionFailed',
        failure: 'refused',
        mayHaveApplied: false,
        message: expect.stringContaining(origin),
      })
    })

    it('names an unknown host', async () => {
      const transport = transportOf()
      await expect(transport(put('http://contoso.invalid'))).rejects.toMatchObject({
        code: 'ConnectionFailed',
        failure: 'dns',
        mayHaveApplied: false,
        message: expect.stringContaining('contoso.invalid'),
      })
    })

    it('says that it is closed, each time', async () => {
      const { origin } = await started((_, response) => response.end('{}'))
      const transport = transportOf()
      await transport(get(origin))
      await Promise.all([transport.close?.(), transport.close?.()])
      for (const target of [origin, 'http://127.0.0.1:1']) {
        await expect(transport(put(target))).rejects.toMatchObject({
          code: 'ConnectionFailed',
          failure: 'closed',
          mayHaveApplied: false,
        })
      }
    })
  })

  describe('when it is closed', () => {
    /** A request that has reached a server, and the function that makes it respond. */
    const pending = async () => {
      let arrive: (respond: () => void) => void = () => {}
      const arrived = new Promise<() => void>((resolve) => {
        arrive = resolve
      })
      const { origin } = await started((_, response) => arrive(() => response.end('{}')))
      const transport = transportOf()
      const response = transport(put(origin))
      response.catch(() => {})
      return { transport, response, respond: await arrived }
    }

    it('ends pending requests at once', async () => {
      const { transport, response } = await pending()
      await transport.close?.()
      await expect(response).rejects.toMatchObject({
        failure: 'closed',
        mayHaveApplied: true,
        message: expect.stringContaining('{ drain: true }'),
      })
    })

    it('does not wait for a request whose response came before all of it was read', async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('data', () => {
          socket.pause().write('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy()
        return new Promise((resolve) => server.close(() => resolve()))
      })
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const transport = transportOf()
      const body = 'x'.repeat(30_000_000)
      expect(await transport({ ...put(origin), body })).toMatchObject({ status: 403 })
      await transport.close?.({ drain: true })
    })

    it('ends a wait of drain when it is closed without drain', async () => {
      const { transport, response } = await pending()
      const drained = transport.close?.({ drain: true })
      await transport.close?.()
      await drained
      await expect(response).rejects.toMatchObject({ failure: 'closed' })
    })

    it.each([500, 'yes', null])('rejects a drain of %j, and stays open', async (drain) => {
      const { transport, response, respond } = await pending()
      await expect(transport.close?.({ drain } as object)).rejects.toMatchObject({
        code: 'InvalidOptionValue',
      })
      respond()
      expect(await response).toMatchObject({ status: 200 })
      await transport.close?.()
    })

    it('waits for pending requests with drain', async () => {
      const { transport, response, respond } = await pending()
      const closing = transport.close?.({ drain: true })
      respond()
      expect(await response).toMatchObject({ status: 200 })
      await closing
    })
  })

  describe('when the response is lost', () => {
    it.each([
      ['a write may have been applied', put, true],
      ['a read never changes anything', get, false],
    ])(
      'says whether it may have been applied after a reset: %s',
      async (_, request, mayHaveApplied) => {
        const { origin } = await started((incoming) => incoming.socket.resetAndDestroy())
        const error = await transportOf()(request(origin)).catch((reason: unknown) => reason)
        expect(error).toMatchObject({ code: 'TransportFailed', mayHaveApplied })
        expect(/outcome is unknown/.test(String(error))).toBe(mayHaveApplied)
      },
    )

    it('says that a write may have been applied after a closed connection', async () => {
      const { origin } = await started((incoming) => incoming.socket.end())
      await expect(transportOf()(put(origin))).rejects.toMatchObject({
        code: 'TransportFailed',
        mayHaveApplied: true,
      })
    })

    it('rejects a body that ends early', async () => {
      const { origin } = await started((incoming, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"value":[')
        setImmediate(() => incoming.socket.end())
      })
      await expect(transportOf()(get(origin))).rejects.toMatchObject({ code: 'TransportFailed' })
    })

    it('rejects chunks that never end', async () => {
      const { origin } = await started((incoming, response) => {
        response.write('{"value":[]}')
        setImmediate(() => incoming.socket.end())
      })
      await expect(transportOf()(get(origin))).rejects.toMatchObject({ code: 'TransportFailed' })
    })

    it('rejects a change of the protocol, for which no request asks', async () => {
      const { origin } = await started((incoming) => {
        incoming.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        )
      })
      await expect(transportOf()(put(origin))).rejects.toMatchObject({
        code: 'TransportFailed',
        mayHaveApplied: true,
      })
    })

    it('rejects a response that is not HTTP', async () => {
      const server = createServer((socket) => socket.resume().end('hello\r\n\r\n'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
      const { port } = server.address() as AddressInfo
      const error = transportOf()(put(`http://127.0.0.1:${port}`))
      await expect(error).rejects.toMatchObject({ code: 'TransportFailed', mayHaveApplied: true })
    })
  })

  describe('when the response takes too long', () => {
    it('ends an attempt without a response', async () => {
      const { origin } = await started(({ method }, response) => {
        if (method === 'GET') response.end('{}')
      })
      const transport = transportOf()
      // Until a connection is open nothing is sent, and a busy machine may take longer than the timeout to open it.
      await transport(get(origin))
      await expect(transport(put(origin), { timeout: 30 })).rejects.toMatchObject({
        name: 'TransportError',
        code: 'AttemptTimeout',
        mayHaveApplied: true,
      })
    })

    it('counts the body, too', async () => {
      const { origin } = await started((_, response) => {
        response.writeHead(200)
        response.write('{')
      })
      await expect(transportOf()(get(origin), { timeout: 30 })).rejects.toMatchObject({
        code: 'AttemptTimeout',
        mayHaveApplied: false,
      })
    })
  })

  describe('when the signal aborts', () => {
    it('sends nothing if it had already aborted', async () => {
      let requests = 0
      const { origin } = await started(() => requests++)
      const signal = AbortSignal.abort('enough')
      await expect(transportOf()(put(origin), { signal })).rejects.toMatchObject({
        name: 'AbortError',
        cause: 'enough',
        mayHaveApplied: false,
      })
      expect(requests).toBe(0)
    })

    it('ends a sent request, and says that it may have been applied', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const { origin } = await started(() => controller.abort(reason))
      await expect(transportOf()(put(origin), { signal: controller.signal })).rejects.toMatchObject(
        {
          name: 'AbortError',
          code: 'Aborted',
          cause: reason,
          mayHaveApplied: true,
        },
      )
    })

    it('ends a request during its response', async () => {
      const controller = new AbortController()
      const { origin } = await started((_, response) => {
        response.writeHead(200)
        response.write('{', () => controller.abort())
      })
      const response = transportOf()(get(origin), { signal: controller.signal })
      await expect(response).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    })
  })

  it('rejects a response longer than 16 MiB', async () => {
    const { origin } = await started((_, response) => {
      response.on('error', () => {})
      response.end(Buffer.alloc(16 * 1024 * 1024 + 1, 32))
    })
    await expect(transportOf()(get(origin))).rejects.toMatchObject({
      code: 'UnexpectedResponse',
      mayHaveApplied: false,
    })
  })

  it.each([
    ['read', get, false],
    ['write', put, true],
  ])('rejects bytes that are not UTF-8, also after a %s', async (_, request, mayHaveApplied) => {
    const { origin } = await started((__, response) => response.end(Buffer.from([0x7b, 0xff])))
    await expect(transportOf()(request(origin))).rejects.toMatchObject({
      code: 'UnexpectedResponse',
      mayHaveApplied,
      message: expect.stringContaining('UTF-8'),
    })
  })

  it('accepts the replacement character itself', async () => {
    const { origin } = await started((_, response) => response.end('{"a":"\ufffd"}'))
    expect((await transportOf()(get(origin))).body).toBe('{"a":"\ufffd"}')
  })

  it('shows no query in an error, because it may contain a SAS', async () => {
    const { origin } = await started((incoming) => incoming.socket.resetAndDestroy())
    const request = { ...put(origin), query: 'sv=1&sig=c2VjcmV0' }
    const error = await transportOf()(request).catch((reason: unknown) => reason)
    expect((error as Error).message).toContain('PUT')
    expect((error as Error).stack).not.toContain('c2VjcmV0')
  })
}

/**
 * What a transport of Node knows besides: `fetch` does not tell whether TLS failed before anything was sent.
 *
 * @param transportOf - makes one that is closed when the test has ended
 */
export function itRecognizesTls(transportOf: () => Transport): void {
  it('recognizes a failure of TLS', async () => {
    const { origin } = await started((_, response) => response.end())
    await expect(transportOf()(put(origin.replace('http:', 'https:')))).rejects.toMatchObject({
      code: 'ConnectionFailed',
      failure: 'tls',
      mayHaveApplied: false,
    })
  })
}

/**
 * The limit of the connections to one host.
 *
 * @param transportOf - makes a transport with at most two, for an origin
 */
export function itLimitsConnections(transportOf: (origin: string) => Transport): void {
  it('opens at most as many connections as allowed', async () => {
    const ports = new Set<number | undefined>()
    const { origin } = await started((request, response) => {
      ports.add(request.socket.remotePort)
      setImmediate(() => response.end('{}'))
    })
    const transport = transportOf(origin)
    await Promise.all(Array.from({ length: 12 }, () => transport(get(origin))))
    expect(ports.size).toBe(2)
  })
}
