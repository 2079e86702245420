import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { undiciTransport } from '@rowkey/rest'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
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

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']

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

  it.each(['HTTP_PROXY', 'http_proxy'])('obeys %s of the environment', async (name) => {
    const { origin } = await started((_, response) => response.end('{}'))
    const { proxy, tunnels } = await startedProxy(origin)
    environment({ [name]: proxy })
    const target = 'http://contoso.invalid'
    const transport = transportOf()
    const responses = await Promise.all([1, 2, 3].map(() => transport(get(target))))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(tunnels)).toEqual(new Set(['no password contoso.invalid:80']))
  })

  it('reads a variable without a scheme as http, as other programs do', async () => {
    const { origin } = await started((_, response) => response.end('{}'))
    const { proxy, tunnels } = await startedProxy(origin)
    environment({ HTTP_PROXY: proxy.replace('http://', '') })
    expect((await transportOf()(get('http://contoso.invalid'))).status).toBe(200)
    expect(tunnels).toEqual(['no password contoso.invalid:80'])
  })

  it.each(['ftp://proxy:21', 'http://jeff:secret@a b', 'http://jeff:secret%@a'])(
    'rejects %s in a variable, whose name it shows without the value',
    async (value) => {
      environment({ HTTPS_PROXY: value })
      const sent = transportOf()(get('https://contoso.invalid'))
      await expect(sent).rejects.toMatchObject({
        name: 'InputError',
        code: 'InvalidEnvironment',
        message: expect.stringMatching(/^The variable HTTPS_PROXY (?!.*secret)/),
      })
    },
  )

  it('names the proxy that refuses the connection', async () => {
    const { origin, server } = await started(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    environment({ HTTPS_PROXY: origin })
    const { host } = new URL(origin)
    await expect(transportOf()(get('https://contoso.invalid'))).rejects.toThrow(
      `(ECONNREFUSED at ${host})`,
    )
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
