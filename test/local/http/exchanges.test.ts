import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, it, vi } from 'vitest'
import { Exchanges } from '../../../packages/local/src/http/exchanges.ts'
import { Listener } from '../../../packages/local/src/http/listeners.ts'
import { withDefaults } from '../../../packages/local/src/service/listen-options.ts'
import { CERTIFICATE } from '../../support/certificate.ts'

const COUNT = 4_000

const PADDING = `Padding: ${'x'.repeat(150)}`
const GET = `GET /a HTTP/1.1\r\nHost: a\r\n${PADDING}\r\n\r\n`
const POST = `POST /a HTTP/1.1\r\nHost: a\r\n${PADDING}\r\nContent-Length: 2\r\n\r\n{}`

const connected = (way: string, port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket: Socket =
      way === 'http'
        ? connect(port, '127.0.0.1', () => resolve(socket))
        : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(socket))
  })

it.each([
  ['http', 'GET', GET],
  ['http', 'POST', POST],
  ['https', 'GET', GET],
  ['https', 'POST', POST],
])(
  '%s: few of many pipelined %s requests are read before the first is answered, and all are answered in the end',
  async (way, _, request) => {
    const begun = vi.spyOn(Exchanges.prototype, 'begin')
    let begin = (): void => {}
    const isTime = new Promise<void>((resolve) => {
      begin = resolve
    })
    const listener = await Listener.start(
      {
        deliver: async (_request, { body }) => {
          await isTime
          await body?.()
          return { kind: 'whole', response: { status: 204, headers: {}, body: '' } }
        },
        reject: () => expect.fail('there is nothing to reject'),
        pause: () => expect.fail('nothing is late'),
        report: (error) => expect.fail(String(error)),
      },
      {
        host: '127.0.0.1',
        port: 0,
        limits: withDefaults({}),
        hosts: undefined,
        tls: way === 'https' ? CERTIFICATE : undefined,
      },
    )
    const socket = await connected(way, listener.port)
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.write(request.repeat(COUNT))
    await vi.waitUntil(() => begun.mock.calls.length > 1)
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(begun.mock.calls.length).toBeLessThan(COUNT / 4)
    begin()
    await vi.waitUntil(() => heard.split('HTTP/1.1 204').length === COUNT + 1, { timeout: 50_000 })
    socket.destroy()
    await listener.close()
    begun.mockRestore()
  },
)
