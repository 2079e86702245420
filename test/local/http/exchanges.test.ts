import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { Exchanges } from '../../../packages/local/src/http/exchanges.ts'
import { MemoryBudget } from '../../../packages/local/src/http/incoming-request.ts'
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

/** A socket that records whether it is read, with the events that matter here. */
const socketOf = (destroyed = false) => {
  const socket = Object.assign(new EventEmitter(), {
    destroyed,
    isRead: true,
    pause: () => {
      socket.isRead = false
    },
    resume: () => {
      socket.isRead = true
      socket.emit('resume')
    },
    destroy: () => {
      socket.destroyed = true
    },
  })
  return socket as typeof socket & Socket
}
const responseOf = () => {
  const req = { headers: {}, rawHeaders: [], url: '/' }
  return Object.assign(new EventEmitter(), { req }) as unknown as ServerResponse
}

const isResolved = async (promise: Promise<unknown> | undefined) => {
  let resolved = false
  void promise?.then(() => {
    resolved = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return resolved
}

it('exchanges are owed until their responses are sent', async () => {
  const exchanges = new Exchanges()
  expect(await isResolved(exchanges.drained())).toBe(true)
  const [one, other] = [socketOf(), socketOf()]
  const [first, second] = [responseOf(), responseOf()]
  exchanges.owe(exchanges.begin(one, first), one)
  exchanges.owe(exchanges.begin(other, second), other)
  first.emit('close')
  expect([exchanges.isOwed(one), exchanges.isOwed(other)]).toEqual([false, true])
  expect(await isResolved(exchanges.drained())).toBe(false)
  second.emit('close')
  expect(await isResolved(exchanges.drained())).toBe(true)
})

it('the exchanges of one connection take turns, also when one ends without a response', async () => {
  const exchanges = new Exchanges()
  const socket = socketOf()
  const responses = [responseOf(), responseOf(), responseOf()]
  const [first, second, third] = responses.map((response) => exchanges.begin(socket, response))
  expect(first?.turn).toBeUndefined()
  expect(await isResolved(second?.turn)).toBe(false)
  responses[0]?.emit('close')
  expect([await isResolved(second?.turn), await isResolved(third?.turn)]).toEqual([true, false])
  second?.end()
  expect(await isResolved(third?.turn)).toBe(true)
  third?.end()
  expect(exchanges.begin(socket, responseOf()).turn).toBeUndefined()
})

it('a connection is not read while requests of it wait, also when Node resumes it', async () => {
  const exchanges = new Exchanges()
  const socket = socketOf()
  const [first, second, third] = [responseOf(), responseOf(), responseOf()]
  exchanges.begin(socket, first)
  expect(socket.isRead).toBe(true)
  exchanges.begin(socket, second)
  const last = exchanges.begin(socket, third)
  expect(socket.isRead).toBe(false)
  first.emit('close')
  socket.resume()
  expect([await isResolved(last.turn), socket.isRead]).toEqual([false, false])
  second.emit('close')
  expect([await isResolved(last.turn), socket.isRead]).toEqual([true, true])
})

it('a connection is closed when its requests have no room to wait', async () => {
  const exchanges = new Exchanges(new MemoryBudget(10_000))
  const [one, other] = [socketOf(), socketOf()]
  const first = exchanges.begin(one, responseOf())
  for (const response of [responseOf(), responseOf()]) exchanges.begin(one, response)
  exchanges.begin(other, responseOf())
  exchanges.begin(other, responseOf())
  expect([one.destroyed, other.destroyed]).toEqual([false, true])
  first.end()
  await new Promise((resolve) => setImmediate(resolve))
  const later = socketOf()
  exchanges.begin(later, responseOf())
  exchanges.begin(later, responseOf())
  expect(later.destroyed).toBe(false)
})

it('an idle connection does not keep its last response', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const exchanges = new Exchanges()
  const idle = socketOf()
  const exchange = (): WeakRef<ServerResponse> => {
    const response = responseOf()
    exchanges.begin(idle, response)
    response.emit('close')
    return new WeakRef(response)
  }
  const kept = exchange()
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect([idle.destroyed, kept.deref()]).toEqual([false, undefined])
})

it('the exchanges of different connections do not wait for each other', () => {
  const exchanges = new Exchanges()
  exchanges.begin(socketOf(), responseOf())
  expect(exchanges.begin(socketOf(), responseOf()).turn).toBeUndefined()
})

it('nothing is owed to a connection that is gone', async () => {
  const exchanges = new Exchanges()
  const gone = socketOf(true)
  exchanges.owe(exchanges.begin(gone, responseOf()), gone)
  expect(await isResolved(exchanges.drained())).toBe(true)
})
