import { AbortError, type HttpRequest, type HttpResponse, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { inProcessTransport } from '../../../packages/local/src/delivery/in-process-transport.ts'

const response = { status: 204, headers: {}, body: '' }
const requestOf = (method: 'GET' | 'PUT'): HttpRequest => ({
  method,
  origin: 'http://localhost',
  path: '/',
  query: '',
  headers: {},
  body: undefined,
})

const over = (respond: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>) =>
  inProcessTransport({
    deliver: async (request) => ({ kind: 'whole', response: await respond(request) }),
    pause: () => expect.fail('nothing is late'),
  })

describe('inProcessTransport', () => {
  it('carries the request and the response unchanged', async () => {
    const seen: HttpRequest[] = []
    const transport = over((request) => {
      seen.push(request)
      return response
    })
    const request = requestOf('PUT')
    expect(await transport(request)).toEqual(response)
    expect(seen).toEqual([request])
  })

  it.each([
    ['PUT', true],
    ['GET', false],
  ] as const)('says of an aborted %s that it may have been applied: %s', async (method, may) => {
    const controller = new AbortController()
    const transport = over(() => {
      controller.abort('enough')
      return response
    })
    const failure = transport(requestOf(method), { signal: controller.signal })
    await expect(failure).rejects.toThrow(AbortError)
    await expect(failure).rejects.toMatchObject({ cause: 'enough', mayHaveApplied: may })
  })

  it('tells the service when its caller has gone away', async () => {
    const controller = new AbortController()
    const seen: unknown[] = []
    const transport = inProcessTransport({
      async deliver(_, client) {
        seen.push(client.isGone?.())
        controller.abort('enough')
        seen.push(client.isGone?.())
        return { kind: 'lost', connection: 'closed' }
      },
      pause: () => expect.fail('nothing is late'),
    })
    const failure = transport(requestOf('GET'), { signal: controller.signal })
    await expect(failure).rejects.toThrow(AbortError)
    expect(seen).toEqual([false, true])
  })

  it('closes after pending requests, however often close is called', async () => {
    const events: string[] = []
    let finish: (response: HttpResponse) => void = () => {}
    const transport = over(() => new Promise((resolve) => (finish = resolve)))
    const sent = transport(requestOf('PUT')).then(() => events.push('response'))
    const closed = [1, 2].map((time) =>
      transport.close?.().then(() => events.push(`closed ${time}`)),
    )
    await new Promise(setImmediate)
    expect(events).toEqual([])
    finish(response)
    await Promise.all([sent, ...closed])
    expect(events.toSorted()).toEqual(['closed 1', 'closed 2', 'response'])
    await transport.close?.()
  })

  it('sends nothing after it is closed', async () => {
    const transport = over(() => expect.fail('the closed transport must not send'))
    await transport.close?.()
    await expect(transport(requestOf('GET'))).rejects.toMatchObject({
      code: 'ConnectionFailed',
      mayHaveApplied: false,
    })
  })

  it.each([
    ['lost', { kind: 'lost', connection: 'reset' }],
    ['truncated', { kind: 'truncated', response: response, after: 0 }],
  ] as const)('rejects a %s response like a broken connection', async (_, delivery) => {
    const transport = inProcessTransport({
      deliver: async () => delivery,
      pause: () => expect.fail('nothing is late'),
    })
    const write = transport(requestOf('PUT'))
    await expect(write).rejects.toThrow(TransportError)
    await expect(write).rejects.toMatchObject({ mayHaveApplied: true })
    await expect(transport(requestOf('GET'))).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('waits for a late response, but not longer than the timeout', async () => {
    const waits: number[] = []
    const transport = inProcessTransport({
      deliver: async () => ({ kind: 'late', response: response, delay: 5000 }),
      pause: async (delay) => {
        waits.push(delay)
      },
    })
    expect(await transport(requestOf('PUT'), { timeout: 5001 })).toEqual(response)
    const failure = transport(requestOf('PUT'), { timeout: 5000 })
    await expect(failure).rejects.toThrow(expect.objectContaining({ code: 'AttemptTimeout' }))
    await expect(failure).rejects.toMatchObject({ mayHaveApplied: true })
    expect(waits).toEqual([5000, 5000])
  })

  it('stops waiting for a late response when the signal aborts', async () => {
    const controller = new AbortController()
    const transport = inProcessTransport({
      deliver: async () => ({ kind: 'paused', response: response, after: 0, delay: 5000 }),
      pause: async (_, signal) => {
        controller.abort('enough')
        expect(signal?.aborted).toBe(true)
      },
    })
    const failure = transport(requestOf('PUT'), { signal: controller.signal, timeout: 10 })
    await expect(failure).rejects.toThrow(AbortError)
  })
})
