import { type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEFAULT_CONNECTION_SETTINGS } from '../../../packages/rest/src/http/dispatcher-transport.ts'
import { nodeTransport } from '../../../packages/rest/src/http/node-transport.ts'
import { UndiciPools } from '../../../packages/rest/src/http/undici-pools.ts'
import { get, put, started } from './loopback-requests.ts'
import { itCarriesRequests, itRecognizesTls } from './transport-contract.ts'

function transportOf(load?: Parameters<typeof nodeTransport>[0]): Transport {
  const transport = nodeTransport(load)
  onTestFinished(async () => transport.close?.())
  return transport
}

/** A transport that loads undici when the test allows it, and the number of requests that undici has sent. */
function observed() {
  const pools = new UndiciPools(DEFAULT_CONNECTION_SETTINGS)
  const byUndici = vi.spyOn(pools, 'dispatcherOf')
  let finish = (_: UndiciPools | Promise<never>): void => {}
  const loaded = new Promise<UndiciPools>((resolve) => {
    finish = resolve
  })
  const load = vi.fn(() => loaded)
  return {
    transport: transportOf(load),
    load,
    /** Ends the load, and waits until the transport knows. */
    async finish(result: UndiciPools | Promise<never> = pools) {
      finish(result)
      await loaded.catch(() => {})
      await new Promise(setImmediate)
    },
    sentByUndici: () => byUndici.mock.calls.length,
    pools,
  }
}

const responding = () => started((_, response) => response.end('{}'))

async function sendEach(transport: Transport, origin: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await transport(get(origin))
}

describe('nodeTransport', () => {
  itCarriesRequests(() => transportOf())
  itRecognizesTls(() => transportOf())

  it('rejects a request whose origin is not a URL', async () => {
    const response = transportOf()(put('contoso'))
    await expect(response).rejects.toMatchObject({ code: 'ERR_INVALID_URL' })
  })

  it.each(['HTTPS:', 'ftp:'])(
    'sends nothing by plain HTTP to an origin with %s',
    async (scheme) => {
      const { origin, server } = await started((_, response) => response.end())
      const seen: string[] = []
      server.on('connection', (socket) => socket.once('data', (data) => seen.push(String(data))))
      await expect(transportOf()(put(origin.replace('http:', scheme)))).rejects.toMatchObject({
        code: 'ConnectionFailed',
        mayHaveApplied: false,
      })
      expect(seen.filter((data) => data.startsWith('PUT'))).toEqual([])
    },
  )

  it('sends 64 requests in turn without undici', async () => {
    const { origin } = await responding()
    const { transport, load } = observed()
    await sendEach(transport, origin, 64)
    expect(load).not.toHaveBeenCalled()
  })

  it('loads undici for more requests, and none waits for it', async () => {
    const { origin } = await responding()
    const { transport, load, finish, sentByUndici } = observed()
    await sendEach(transport, origin, 80)
    expect(load).toHaveBeenCalledOnce()
    await finish()
    expect(sentByUndici()).toBe(0)
    await sendEach(transport, origin, 3)
    expect(sentByUndici()).toBe(3)
    expect(load).toHaveBeenCalledOnce()
  })

  it.each([
    [8, 0],
    [9, 1],
  ])('with %i requests at once, loads undici %i times', async (count, loads) => {
    const { origin } = await responding()
    const { transport, load } = observed()
    await Promise.all(Array.from({ length: count }, () => transport(get(origin))))
    expect(load).toHaveBeenCalledTimes(loads)
  })

  it('completes over node:http what is pending when undici is loaded, and closes these connections', async () => {
    let respond = (): void => {}
    const { origin, server } = await started((_, response) => {
      respond = () => response.end('{}')
    })
    const arrived = () => new Promise((resolve) => server.once('request', resolve))
    const { transport, finish, sentByUndici } = observed()
    for (let n = 0; n < 64; n++) {
      const next = arrived()
      const response = transport(get(origin))
      await next
      respond()
      await response
    }
    const next = arrived()
    const last = transport(put(origin))
    const closed = new Promise((resolve) => {
      server.once('request', ({ socket }) => socket.once('close', resolve))
    })
    await next
    await finish()
    respond()
    expect(await last).toMatchObject({ status: 200 })
    expect(sentByUndici()).toBe(0)
    await closed
  })

  it('goes on without undici when it cannot be loaded, and does not try again', async () => {
    const { origin } = await responding()
    const load = vi.fn(() => Promise.reject(new Error('Cannot find module')))
    const transport = transportOf(load)
    await sendEach(transport, origin, 80)
    expect(load).toHaveBeenCalledOnce()
  })

  it('closes undici that is loaded after its end', async () => {
    const { origin } = await responding()
    const { transport, finish, pools } = observed()
    await sendEach(transport, origin, 65)
    const close = vi.spyOn(pools, 'close')
    await transport.close?.()
    await finish()
    expect(close).toHaveBeenCalledOnce()
    await expect(transport(put(origin))).rejects.toMatchObject({ failure: 'closed' })
  })

  it('waits with drain for what is pending over node:http when undici is loaded meanwhile', async () => {
    let arrive = (_: () => void): void => {}
    const arrived = new Promise<() => void>((resolve) => {
      arrive = resolve
    })
    const { origin } = await started((request, response) => {
      if (request.url === '/last') arrive(() => response.end('{}'))
    })
    const { transport, finish, load } = observed()
    const controller = new AbortController()
    const { signal } = controller
    const many = Array.from({ length: 9 }, () => transport(put(origin), { signal }))
    controller.abort()
    await Promise.allSettled(many)
    expect(load).toHaveBeenCalledOnce()
    const last = transport({ ...put(origin), path: '/last' })
    const respond = await arrived
    const closed = transport.close?.({ drain: true })
    await finish()
    respond()
    expect(await last).toMatchObject({ status: 200 })
    await closed
  })

  it('sends everything through the proxy of the environment by undici', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { transport, load, finish, sentByUndici } = observed()
    const response = transport(put('http://contoso.invalid'))
    await finish()
    await expect(response).rejects.toMatchObject({ mayHaveApplied: false })
    expect(load).toHaveBeenCalledOnce()
    expect(sentByUndici()).toBe(1)
  })

  it('loads undici by itself for the proxy of the environment', async () => {
    const { origin, server } = await started((_, response) => response.end())
    const tunnels: unknown[] = []
    server.on('connect', ({ url }, socket) => {
      tunnels.push(url)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    vi.stubEnv('HTTP_PROXY', origin)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(transportOf()(put('http://contoso.invalid'))).rejects.toThrow()
    expect(tunnels[0]).toBe('contoso.invalid:80')
  })

  it('says what is missing when a proxy needs undici and it cannot be loaded', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const missing = new Error('undici is not there')
    const transport = transportOf(() => Promise.reject(missing))
    await expect(transport(put('https://contoso.invalid'))).rejects.toBe(missing)
  })

  it('is what a service uses that names none', async () => {
    const seen: string[][] = []
    const { origin } = await started((request, response) => {
      seen.push(request.rawHeaders)
      response.end()
    })
    const service = tableService({
      endpoint: `${origin}/acct`,
      credential: { authorize: (request) => request },
    })
    onTestFinished(() => service.close())
    await service.transport(get(origin))
    // Only node:http writes this header with a capital letter.
    expect(seen[0]).toContain('Host')
  })
})
