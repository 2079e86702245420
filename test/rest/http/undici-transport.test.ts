import { type Transport, undiciTransport } from '@rowkey/rest'
import { MockAgent, Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadUndici } from '../../../packages/rest/src/http/undici-pools.ts'
import { get, put, started } from './loopback-requests.ts'
import { itCarriesRequests, itLimitsConnections, itRecognizesTls } from './transport-contract.ts'

function transportOf(options?: Parameters<typeof undiciTransport>[0]): Transport {
  const transport = undiciTransport(options)
  onTestFinished(async () => transport.close?.())
  return transport
}

describe('undiciTransport', () => {
  // Some resolvers take long to report an unknown host.
  itCarriesRequests(() => transportOf({ connectTimeout: 30_000 }))
  itRecognizesTls(() => transportOf())
  itLimitsConnections(() => transportOf({ connections: 2 }))

  it('ends a wait of drain for requests without a connection when it is closed', async () => {
    const { origin, server } = await started(() => {})
    const transport = transportOf({ connections: 1 })
    const arrived = new Promise((resolve) => server.once('request', resolve))
    const results = Promise.allSettled([transport(put(origin)), transport(put(origin))])
    await arrived
    const drained = transport.close?.({ drain: true })
    await transport.close?.()
    await drained
    expect(await results).toMatchObject([
      { reason: { mayHaveApplied: true } },
      { reason: { mayHaveApplied: false } },
    ])
  })

  it('sends through the given dispatcher', async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    agent.get('http://127.0.0.1:1').intercept({ path: '/a', method: 'GET' }).reply(200, 'mocked')
    const transport = transportOf({ dispatcher: agent })
    const request = { ...get('http://127.0.0.1:1'), path: '/a' }
    expect((await transport(request)).body).toBe('mocked')
    await expect(transport({ ...request, path: '/b' })).rejects.toMatchObject({
      code: 'ConnectionFailed',
      mayHaveApplied: false,
    })
  })

  it('says that a request which waited for a connection was not sent', async () => {
    const { origin } = await started(() => {})
    const transport = transportOf({ connections: 1 })
    const first = transport(put(origin), { timeout: 60 }).catch(() => {})
    const second = transport(put(origin), { timeout: 30 })
    await expect(second).rejects.toMatchObject({ code: 'AttemptTimeout', mayHaveApplied: false })
    await first
  })

  it.each([
    [{ connections: 0 }, 'connections'],
    [{ connections: 1.5 }, 'connections'],
    [{ connectTimeout: -1 }, 'connectTimeout'],
    [{ connectTimeout: '5' }, 'connectTimeout'],
    [{ agent: {} }, 'agent'],
    [{ dispatcher: {} }, 'dispatcher'],
    [{ dispatcher: null }, 'dispatcher'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => undiciTransport(options as never)).toThrow(name)
  })
})

describe('loadUndici', () => {
  it('loads undici', async () => {
    expect((await loadUndici()).Pool).toBe(Pool)
  })

  it('says what is missing when undici cannot be loaded, and tries again at the next call', async () => {
    const cause = new Error("Cannot find module 'undici'")
    await expect(loadUndici(() => Promise.reject(cause))).rejects.toMatchObject({
      code: 'MissingDependency',
      message: expect.stringContaining('fetchTransport()'),
      cause,
    })
    expect((await loadUndici()).Pool).toBe(Pool)
  })
})
