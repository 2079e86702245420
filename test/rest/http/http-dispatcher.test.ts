import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Transport } from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  DEFAULT_CONNECTION_SETTINGS,
  dispatcherTransport,
} from '../../../packages/rest/src/http/dispatcher-transport.ts'
import { HttpDispatcher, type HttpModule } from '../../../packages/rest/src/http/http-dispatcher.ts'
import { nodeTransport } from '../../../packages/rest/src/http/node-transport.ts'
import { localhostCertificate, localhostKey } from './localhost-certificate.ts'
import { get, put, started } from './loopback-requests.ts'
import { itLimitsConnections } from './transport-contract.ts'

/** `node:https` that trusts the certificate of the tests. */
const trusting: HttpModule = {
  request: https.request,
  Agent: class extends https.Agent {
    constructor(options: https.AgentOptions) {
      super({ ...options, ca: localhostCertificate })
    }
  },
}

function transportOf(module: HttpModule, origin: string, settings = {}): Transport {
  const all = { ...DEFAULT_CONNECTION_SETTINGS, ...settings }
  const dispatcher = new HttpDispatcher(origin, module, all)
  const transport = dispatcherTransport({
    dispatcherOf: () => dispatcher,
    renew() {},
    close: () => dispatcher.close(),
    destroy: async () => dispatcher.destroy(),
  })
  onTestFinished(async () => transport.close?.())
  return transport
}

async function originOf(server: Server, scheme: string): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const startedTls = (listener: http.RequestListener): Promise<string> =>
  originOf(https.createServer({ key: localhostKey, cert: localhostCertificate }, listener), 'https')

describe('HttpDispatcher', () => {
  itLimitsConnections((origin) => transportOf(http, origin, { connections: 2 }))

  it('says that a request which waited for a connection was not sent, and never sends it', async () => {
    const urls: unknown[] = []
    const { origin } = await started((request) => urls.push(request.url))
    const transport = transportOf(http, origin, { connections: 1 })
    const first = transport(put(origin), { timeout: 60 }).catch(() => {})
    const second = transport({ ...put(origin), path: '/second' }, { timeout: 30 })
    await expect(second).rejects.toMatchObject({ code: 'AttemptTimeout', mayHaveApplied: false })
    await first
    await new Promise(setImmediate)
    expect(urls).toEqual([put(origin).path])
  })

  it('opens no connection for requests that ended while they waited for one', async () => {
    let connections = 0
    const { origin, server } = await started(() => {})
    const arrived = new Promise((resolve) => server.once('request', resolve))
    server.on('connection', () => connections++)
    const transport = transportOf(http, origin, { connections: 1 })
    const controller = new AbortController()
    const { signal } = controller
    const all = Array.from({ length: 9 }, () => transport(put(origin), { signal }))
    const results = Promise.allSettled(all)
    await arrived
    controller.abort()
    await results
    await transport.close?.({ drain: true })
    expect(connections).toBe(1)
  })

  it('opens no connection after its end for requests that waited for one', async () => {
    let connections = 0
    class CountingAgent extends http.Agent {
      override createConnection(...given: Parameters<http.Agent['createConnection']>) {
        connections++
        return super.createConnection(...given)
      }
    }
    const { origin, server } = await started(() => {})
    const arrived = new Promise<http.IncomingMessage>((resolve) => server.once('request', resolve))
    const module = { request: http.request, Agent: CountingAgent }
    const transport = transportOf(module, origin, { connections: 1 })
    const results = Promise.allSettled(Array.from({ length: 9 }, () => transport(put(origin))))
    const { socket } = await arrived
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await transport.close?.()
    await Promise.all([results, closed])
    await new Promise(setImmediate)
    expect(connections).toBe(1)
  })

  it('sends the next request that waits when one of them is invalid', async () => {
    const { origin } = await started((_, response) => response.end('{}'))
    const transport = transportOf(http, origin, { connections: 1 })
    const first = transport(put(origin))
    const invalid = transport({ ...put(origin), path: '/a b' })
    const last = transport(put(origin))
    await expect(invalid).rejects.toMatchObject({ mayHaveApplied: false })
    expect(await Promise.all([first, last])).toHaveLength(2)
  })

  it('says that nothing was sent when no connection comes about in time', async () => {
    // It accepts connections, and never says a word of TLS.
    const origin = await originOf(createServer(), 'https')
    await expect(
      transportOf(trusting, origin, { connectTimeout: 30 })(put(origin)),
    ).rejects.toMatchObject({
      code: 'ConnectionFailed',
      failure: 'timeout',
      mayHaveApplied: false,
      message: expect.stringContaining('ETIMEDOUT'),
    })
  })

  it('sends to an IPv6 address', async () => {
    const server = http.createServer((_, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
    const origin = `http://[::1]:${(server.address() as AddressInfo).port}`
    const response = await transportOf(http, origin)(get(origin))
    expect(response.status).toBe(200)
  })

  it.each([
    ['path', { path: '/a b' }],
    ['header', { headers: { note: 'ä\n' } }],
  ])('sends nothing of a request with an invalid %s', async (_, change) => {
    let requests = 0
    const { origin } = await started(() => requests++)
    await expect(transportOf(http, origin)({ ...put(origin), ...change })).rejects.toMatchObject({
      mayHaveApplied: false,
    })
    expect(requests).toBe(0)
  })
})

describe('HttpDispatcher over TLS', () => {
  it('keeps its connection open', async () => {
    const ports = new Set<number | undefined>()
    const origin = await startedTls((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{"n":1}')
    })
    const transport = transportOf(trusting, origin)
    for (let n = 0; n < 5; n++) expect((await transport(put(origin))).body).toBe('{"n":1}')
    expect(ports.size).toBe(1)
  })

  it('says that a write may have been applied once the handshake has ended', async () => {
    const origin = await startedTls((request) => request.socket.destroy())
    await expect(transportOf(trusting, origin)(put(origin))).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
    })
  })

  it('sends nothing to a server with a certificate that is not trusted', async () => {
    let requests = 0
    const origin = await startedTls(() => requests++)
    const transport = nodeTransport()
    onTestFinished(async () => transport.close?.())
    await expect(transport(put(origin))).rejects.toMatchObject({
      code: 'ConnectionFailed',
      failure: 'tls',
      mayHaveApplied: false,
    })
    expect(requests).toBe(0)
  })

  it('sends nothing when it is aborted during the handshake', async () => {
    let requests = 0
    const server = https.createServer(
      { key: localhostKey, cert: localhostCertificate },
      () => requests++,
    )
    const controller = new AbortController()
    server.once('connection', () => controller.abort('enough'))
    const origin = await originOf(server, 'https')
    const response = transportOf(trusting, origin)(put(origin), { signal: controller.signal })
    await expect(response).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    await new Promise((resolve) =>
      server.once('tlsClientError', resolve).once('secureConnection', resolve),
    )
    await new Promise(setImmediate)
    expect(requests).toBe(0)
  })
})
