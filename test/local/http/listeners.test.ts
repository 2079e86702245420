import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { Exchanges } from '../../../packages/local/src/http/exchanges.ts'
import { MemoryBudget } from '../../../packages/local/src/http/incoming-request.ts'
import { Listener, Listeners, type Responder } from '../../../packages/local/src/http/listeners.ts'
import { withDefaults } from '../../../packages/local/src/service/listen-options.ts'

const terms = { host: '127.0.0.1', port: 0, limits: withDefaults({}), hosts: undefined }

const responder: Responder = {
  deliver: async () => ({ kind: 'whole', response: { status: 200, headers: {}, body: 'yes' } }),
  reject: () => expect.fail('there is nothing to reject'),
  report: (error) => expect.fail(String(error)),
  pause: () => expect.fail('nothing is late'),
}

describe('Listeners', () => {
  it('closes all listeners, and starts none after that', async () => {
    const listeners = new Listeners(responder)
    const started = await Promise.all([listeners.start(terms), listeners.start(terms)])
    const addresses = started.map(({ port }) => `http://127.0.0.1:${port}/`)
    const responses = addresses.map(async (address) => (await fetch(address)).text())
    expect(await Promise.all(responses)).toEqual(['yes', 'yes'])
    await listeners.close()
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow(TypeError)
    await expect(listeners.start(terms)).rejects.toMatchObject({ failure: 'closed' })
  })

  it('forgets a listener that was closed alone', async () => {
    const listeners = new Listeners(responder)
    const close = vi.spyOn(Listener.prototype, 'close')
    const [first] = await Promise.all([listeners.start(terms), listeners.start(terms)])
    await first.close()
    await listeners.close()
    expect(close.mock.instances.length).toBe(2)
    close.mockRestore()
  })
})

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
