import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { localTableService } from '@rowkey/local'
import { fetchTransport, type HttpMethod, type HttpResponse, type Transport } from '@rowkey/rest'
import { connect, defineEntity, key, noRetry } from 'rowkey'
import { Agent, fetch } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  DEFAULT_CONNECTION_SETTINGS,
  dispatcherTransport,
} from '../../packages/rest/src/http/dispatcher-transport.ts'
import { nodeTransport } from '../../packages/rest/src/http/node-transport.ts'
import { UndiciPools } from '../../packages/rest/src/http/undici-pools.ts'

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: key`${'no:4'}`,
  schema: z.object({ customer: z.string(), no: z.int(), total: z.number() }),
})

/** A pool opens another connection for a request that begins while it still reads the end of a response. */
const connectionsAreFree = () => new Promise(setImmediate)

const UNAVAILABLE: HttpResponse = { status: 503, headers: {}, body: '' }

/** The front end of a region, on sockets. */
async function frontEnd(address: string, port = 0) {
  const local = localTableService()
  const region = { isFailing: false, isSilent: false, requests: 0, connections: 0 }
  const server = createServer(async (incoming, outgoing) => {
    region.requests += 1
    if (region.isSilent) return
    let body = ''
    for await (const chunk of incoming) body += chunk
    const [path = '', query = ''] = String(incoming.url).split('?')
    const request = {
      method: incoming.method as HttpMethod,
      origin: 'http://127.0.0.1',
      path,
      query,
      headers: incoming.headers as Record<string, string>,
      body: body || undefined,
    }
    const response = region.isFailing ? UNAVAILABLE : await local.transport(request)
    outgoing.writeHead(response.status, response.headers).end(response.body)
  })
  server.on('connection', () => {
    region.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { region, local, port: (server.address() as AddressInfo).port }
}

/** An account whose name leads to the first of two regions, until it is moved. */
async function twoRegions(transportOf: (lookup: LookupFunction, now: () => number) => Transport) {
  const east = await frontEnd('127.0.0.1')
  const west = await frontEnd('127.0.0.2', east.port)
  let address = '127.0.0.1'
  let time = 0
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [{ address, family: 4 }])
    else done(null, address, 4)
  }
  const transport = transportOf(lookup, () => time)
  onTestFinished(async () => transport.close?.())
  const text = east.local
    .connectionString()
    .replace(
      /TableEndpoint=[^;]*/,
      `TableEndpoint=http://contoso.localhost:${east.port}/devstoreaccount1`,
    )
  const account = connect(text, { transport, sleep: async () => {} })
  onTestFinished(() => account.close())
  const orders = account.table(Order)
  for (const { local } of [east, west]) {
    await connect(local.connectionString(), { transport: local.transport }).table(Order).create()
  }
  return {
    orders,
    east: east.region,
    west: west.region,
    move: () => {
      address = '127.0.0.2'
    },
    pass: (ms: number) => {
      time += ms
    },
  }
}

const SOCKETS: readonly [string, (lookup: LookupFunction, now: () => number) => Transport][] = [
  [
    'undici',
    (lookup, now) =>
      dispatcherTransport(
        new UndiciPools({ ...DEFAULT_CONNECTION_SETTINGS, lookup }, undefined, now),
      ),
  ],
  [
    'node:http',
    (lookup, now) =>
      nodeTransport(() => new Promise(() => {}), { ...DEFAULT_CONNECTION_SETTINGS, lookup }, now),
  ],
  [
    'fetch',
    (lookup, now) => {
      vi.spyOn(performance, 'now').mockImplementation(now)
      onTestFinished(() => void vi.restoreAllMocks())
      const dispatcher = new Agent({ connect: { lookup } })
      onTestFinished(() => dispatcher.close())
      return fetchTransport({
        fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as never,
      })
    },
  ],
]

describe.each(SOCKETS)('an account over %s', (_, transportOf) => {
  it('R-121: reads and writes in the new region when the old one still answers 503 on open connections', async () => {
    const { orders, east, west, move, pass } = await twoRegions(transportOf)
    await Promise.all([1, 2, 3].map((no) => orders.insert({ customer: 'jones', no, total: no })))
    expect([east.requests, west.requests]).toEqual([3, 0])
    pass(2_000)
    east.isFailing = true
    move()
    for (let no = 4; no < 24; no++) await orders.insert({ customer: 'jones', no, total: no })
    expect(west.requests).toBeGreaterThanOrEqual(20)
    // Connections that were open then carry one request each at most.
    expect(east.requests).toBeLessThanOrEqual(3 + 3)
  })

  it('R-121: ends each connection after five minutes, so that a moved name is found without a failure', async () => {
    const { orders, east, west, move, pass } = await twoRegions(transportOf)
    await orders.insert({ customer: 'jones', no: 1, total: 1 })
    await connectionsAreFree()
    move()
    pass(299_000)
    await orders.insert({ customer: 'jones', no: 2, total: 1 })
    expect([east.requests, west.requests]).toEqual([2, 0])
    pass(2_000)
    for (const no of [3, 4, 5]) await orders.insert({ customer: 'jones', no, total: 1 })
    expect(west.requests).toBeGreaterThanOrEqual(2)
    expect(east.requests).toBeLessThanOrEqual(3)
  })

  it('opens no connection for each request while a service is unavailable for long', async () => {
    const { orders, east, pass } = await twoRegions(transportOf)
    await orders.insert({ customer: 'jones', no: 1, total: 1 })
    east.isFailing = true
    for (let at = 0; at < 20; at++) {
      pass(100)
      await orders.find(['jones', '0001'], { retry: noRetry }).catch(() => {})
    }
    expect(east.connections).toBeLessThanOrEqual(5)
  })
})

describe('an account over undici whose region hangs', () => {
  it('R-121: leaves it after one attempt has timed out', async () => {
    const [, transportOf] = SOCKETS[0]!
    const { orders, east, west, move, pass } = await twoRegions(transportOf)
    await Promise.all([1, 2, 3].map((no) => orders.insert({ customer: 'jones', no, total: no })))
    pass(2_000)
    east.isSilent = true
    move()
    for (const no of [4, 5, 6]) {
      await orders.insertOrReplace({ customer: 'jones', no, total: no }, { timeout: 400 })
    }
    expect([east.requests, west.requests]).toEqual([4, 3])
  })
})
