import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { perform, queryTables, tableService, undiciTransport } from '@rowkey/rest'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { proxyOf } from '../../../packages/rest/src/http/undici-proxy.ts'
import { get, started } from './loopback-requests.ts'

/** A proxy that leads every tunnel to one server, whatever its name, and the tunnels that were asked for. */
async function startedProxy(target: string) {
  const tunnels: string[] = []
  const { origin, server } = await started((_, response) => response.writeHead(405).end())
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    tunnels.push(`${request.headers['proxy-authorization'] ?? 'no password'} ${request.url}`)
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  return { proxy: origin as `http://${string}`, tunnels }
}

function transportOf(options?: Parameters<typeof undiciTransport>[0]) {
  const transport = undiciTransport(options)
  onTestFinished(async () => transport.close?.())
  return transport
}

const VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
])

function environment(variables: Record<string, string>): void {
  for (const name of VARIABLES) vi.stubEnv(name, variables[name])
}

afterEach(() => void vi.unstubAllEnvs())

describe('undiciTransport with a proxy', () => {
  it('sends through the proxy of a URL, with its user and password', async () => {
    environment({})
    const { origin } = await started((_, response) => response.end('{"from":"service"}'))
    const { proxy, tunnels } = await startedProxy(origin)
    const withUser = proxy.replace('//', '//jeff:secret@') as `http://${string}`
    const transport = transportOf({ proxy: withUser })
    expect((await transport(get(origin))).body).toBe('{"from":"service"}')
    const { host } = new URL(origin)
    expect(tunnels).toEqual([`Basic ${Buffer.from('jeff:secret').toString('base64')} ${host}`])
  })

  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])(
    'obeys %s of the environment',
    async (name) => {
      const { origin } = await started((_, response) => response.end('{}'))
      const { proxy, tunnels } = await startedProxy(origin)
      environment({ [name]: proxy })
      const target = 'http://contoso.invalid'
      const transport = transportOf()
      const responses = await Promise.all([1, 2, 3].map(() => transport(get(target))))
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(new Set(tunnels)).toEqual(new Set(['no password contoso.invalid:80']))
    },
  )

  it('reads a variable without a scheme as http, as other programs do', async () => {
    const { origin } = await started((_, response) => response.end('{}'))
    const { proxy, tunnels } = await startedProxy(origin)
    environment({ HTTP_PROXY: proxy.replace('http://', '') })
    expect((await transportOf()(get('http://contoso.invalid'))).status).toBe(200)
    expect(tunnels).toEqual(['no password contoso.invalid:80'])
  })

  it.each([
    'ftp://proxy:21',
    'socks4://jeff:secret@a',
    'http://jeff:secret@a b',
    'http://jeff:secret%@a',
  ])('rejects %s in a variable, whose name it shows without the value', async (value) => {
    environment({ HTTPS_PROXY: value })
    const sent = transportOf()(get('https://contoso.invalid'))
    await expect(sent).rejects.toMatchObject({
      name: 'InputError',
      code: 'InvalidEnvironment',
      message: expect.stringMatching(/^The variable HTTPS_PROXY (?!.*secret)/),
    })
  })

  it('names the proxy that refuses the connection', async () => {
    const { origin, server } = await started(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    environment({ HTTPS_PROXY: origin })
    const { host } = new URL(origin)
    await expect(transportOf()(get('https://contoso.invalid'))).rejects.toMatchObject({
      failure: 'refused',
      message: `Could not connect to https://contoso.invalid: the proxy http://${host} of HTTPS_PROXY refused the connection. Check that it runs there (ECONNREFUSED). Nothing was sent.`,
    })
  })

  it('names a proxy whose host is unknown, and does not blame the account', async () => {
    environment({ ALL_PROXY: 'http://jeff:secret@proxy.invalid:3128' })
    const failed = transportOf()(get('https://contoso.invalid'))
    await expect(failed).rejects.toMatchObject({
      failure: 'dns',
      message: expect.stringMatching(
        /the proxy http:\/\/proxy\.invalid:3128 of ALL_PROXY has an unknown host\. Correct its URL \(/,
      ),
    })
    await expect(failed).rejects.not.toThrow(/secret|account/)
  })

  it.each<[number, string, RegExp, number]>([
    [407, 'proxy', /requires authentication\. Check the user and the password in its URL/, 1],
    [403, 'proxy', /does not permit the host/, 1],
    [502, 'other', /could not reach the host/, 4],
  ])('reports the %i of a proxy after %s', async (status, failure, says, tunnels) => {
    const { origin, server } = await started(() => undefined)
    let count = 0
    server.on('connect', (_, client: Socket) => {
      count++
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    })
    const proxy = origin.replace('//', '//jeff:secret@') as `http://${string}`
    environment({ HTTPS_PROXY: proxy })
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: { authorize: (request) => request },
      sleep: async () => {},
    })
    onTestFinished(() => service.close())
    const failed = perform(service, queryTables, {})
    await expect(failed).rejects.toMatchObject({
      code: 'ConnectionFailed',
      failure,
      attempts: tunnels,
      message: expect.stringMatching(says),
    })
    await expect(failed).rejects.toThrow(`the proxy ${origin} of HTTPS_PROXY`)
    await expect(failed).rejects.not.toThrow(/secret/)
    expect(count).toBe(tunnels)
  })

  it('asks once for a tunnel when the proxy closes the connection', async () => {
    const { origin, server } = await started(() => undefined)
    let tunnels = 0
    server.on('connect', (_, client: Socket) => {
      tunnels++
      client.destroy()
    })
    environment({ HTTPS_PROXY: origin })
    await expect(
      transportOf()(get('https://contoso.invalid'), { timeout: 5_000 }),
    ).rejects.toMatchObject({
      code: 'ConnectionFailed',
      mayHaveApplied: false,
    })
    expect(tunnels).toBe(1)
  })

  it('prefers the variable of a scheme to ALL_PROXY, and ALL_PROXY to that of http', () => {
    const of = (origin: string, variables: Record<string, string>) =>
      proxyOf(origin, 'environment', variables)?.variable
    const all = { ALL_PROXY: 'http://a', HTTP_PROXY: 'http://b' }
    expect(of('https://contoso.invalid', { ...all, HTTPS_PROXY: 'c' })).toBe('HTTPS_PROXY')
    expect(of('https://contoso.invalid', all)).toBe('ALL_PROXY')
    expect(of('http://contoso.invalid', all)).toBe('HTTP_PROXY')
    expect(of('https://contoso.invalid', { HTTP_PROXY: 'http://b' })).toBe('HTTP_PROXY')
    expect(of('https://contoso.invalid', { ...all, HTTPS_PROXY: '' })).toBeUndefined()
  })

  it('sends through a SOCKS proxy, which looks up the name of the host', async () => {
    const { origin } = await started((_, response) => response.end('{"from":"service"}'))
    const { port: target } = new URL(origin)
    const hosts: string[] = []
    const socks = createServer((client) => {
      client.on('error', () => {})
      client.once('data', () => {
        client.write(Buffer.from([5, 0]))
        client.once('data', (request) => {
          hosts.push(request.subarray(5, 5 + request[4]!).toString())
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          const upstream = connect(Number(target), '127.0.0.1')
          upstream.on('error', () => {})
          upstream.pipe(client).pipe(upstream)
        })
      })
    })
    await new Promise<void>((resolve) => socks.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void socks.close())
    environment({ ALL_PROXY: `socks5h://127.0.0.1:${(socks.address() as AddressInfo).port}` })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    expect((await transportOf()(get('http://contoso.invalid'))).body).toBe('{"from":"service"}')
    expect(hosts).toEqual(['contoso.invalid'])
  })

  it('obeys HTTPS_PROXY for https', async () => {
    const { origin } = await started((_, response) => response.end('{}'))
    const { proxy, tunnels } = await startedProxy(origin)
    environment({ HTTPS_PROXY: proxy })
    // The server behind the proxy speaks no TLS, so the request itself fails.
    await expect(transportOf()(get('https://contoso.invalid'))).rejects.toMatchObject({
      mayHaveApplied: false,
    })
    expect(tunnels).toEqual(['no password contoso.invalid:443'])
  })

  it.each([
    ['NO_PROXY names the host', 'http://contoso.invalid', {}, 'contoso.invalid'],
    ['proxy is false', 'http://contoso.invalid', { proxy: false } as const, ''],
  ])('sends directly when %s', async (_, target, options, NO_PROXY) => {
    const { proxy, tunnels } = await startedProxy('http://127.0.0.1:1')
    environment({ HTTP_PROXY: proxy, NO_PROXY })
    await expect(transportOf(options)(get(target))).rejects.toMatchObject({ failure: 'dns' })
    expect(tunnels).toEqual([])
  })

  it('sends to a loopback address directly, such as an emulator', async () => {
    const { origin } = await started((_, response) => response.end('{}'))
    const { proxy, tunnels } = await startedProxy(origin)
    environment({ HTTP_PROXY: proxy })
    expect((await transportOf()(get(origin))).status).toBe(200)
    expect(tunnels).toEqual([])
  })

  it.each(['jeff:secret@proxy', 'http://jeff:secret%@proxy'])(
    'rejects the proxy %s, which is not a valid URL, without its text',
    (proxy) => {
      expect(() => undiciTransport({ proxy: proxy as never })).toThrow(
        expect.objectContaining({
          code: 'InvalidOptionValue',
          message: expect.not.stringContaining('secret'),
        }),
      )
    },
  )
})
