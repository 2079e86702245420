import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  deleteEntity,
  entityGroupTransaction,
  findEntity,
  type HttpRequest,
  insertEntity,
  mergeEntity,
  perform,
  queryEntities,
  type TableService,
  undiciTransport,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { loneRead, oneMerge } from '../vectors/batch-responses.ts'
import { etag, jeff } from './people.ts'
import { scriptedTransport } from './scripted-transport.ts'
import { serviceOver } from './service-over.ts'

describe('perform', () => {
  it('R-62, R-106: makes one signed request of one operation', async () => {
    const transport = scriptedTransport({ status: 204, headers: { etag } })
    expect(await perform(serviceOver(transport), insertEntity, jeff)).toEqual({ etag, status: 204 })
    expect(transport.requests).toHaveLength(1)
    expect(transport.requests[0]).toMatchObject({
      method: 'POST',
      origin: 'https://contoso.table.core.windows.net',
      path: '/people',
      headers: {
        authorization: expect.stringMatching(/^SharedKeyLite contoso:/),
        'x-ms-date': 'Fri, 20 Nov 2026 12:00:00 GMT',
      },
      body: jeff.body,
    })
  })

  it('R-107: rejects with the InputError itself, and sends nothing', async () => {
    const transport = scriptedTransport({ status: 204 })
    await expect(perform(serviceOver(transport), deleteEntity, jeff)).rejects.toMatchObject({
      code: 'MissingETag',
    })
    expect(transport.requests).toHaveLength(0)
  })

  it('R-59, R-175: reads and merges a key with a percent sign in a batch, with percentKeys', async () => {
    const transport = scriptedTransport(loneRead, oneMerge)
    const service = serviceOver(transport, { percentKeys: 'batch' })
    const key = { partitionKey: 'Smith', rowKey: '10%' }
    const found = await perform(service, findEntity, { table: 'people', key })
    expect(found?.raw).toEqual({ PartitionKey: 'Smith', RowKey: '10%' })
    expect(await perform(service, mergeEntity, { ...jeff, key, etag: '*' })).toEqual({
      etag,
      status: 204,
    })
    for (const { method, path, body } of transport.requests) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/$batch' })
      expect(body).toContain("RowKey='10%25')")
    }
  })

  it('R-59: otherwise sends a key with a percent sign in its path, encoded once', async () => {
    const transport = scriptedTransport({ body: '{"PartitionKey":"Smith","RowKey":"Metric%25"}' })
    const key = { partitionKey: 'Smith', rowKey: 'Metric%25' }
    await perform(serviceOver(transport), findEntity, { table: 'people', key })
    expect(transport.requests[0]?.path).toBe("/people(PartitionKey='Smith',RowKey='Metric%2525')")
  })

  it('R-03: sends what only the service checks', async () => {
    const transport = scriptedTransport({ status: 204, headers: { etag } })
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const write = { ...jeff, body: JSON.stringify(Object.fromEntries(properties)) }
    await expect(perform(serviceOver(transport), insertEntity, write)).rejects.toMatchObject({
      code: 'TooManyProperties',
    })
    expect(transport.requests).toHaveLength(0)
    const lenient = serviceOver(transport, { checks: { propertyCount: 'by the service' } })
    await perform(lenient, insertEntity, write)
    expect(transport.requests).toHaveLength(1)
  })

  it.each([undefined, null, 7, 'people'])('rejects the input %j', async (input) => {
    const transport = scriptedTransport({ status: 204 })
    const call = perform(serviceOver(transport), deleteEntity, input as never)
    await expect(call).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: 'The input of deleteEntity must be an object.',
    })
    expect(transport.requests).toHaveLength(0)
  })

  it('R-33: pages by repeating the query with the continuation', async () => {
    const transport = scriptedTransport(
      { headers: { 'x-ms-continuation-nextpartitionkey': '1!8!a' }, body: '{"value":[{"n":1}]}' },
      { body: '{"value":[{"n":2}]}' },
    )
    const service = serviceOver(transport)
    const query = { table: 'people', filter: 'n gt 0', select: ['n'], top: 1 }
    const first = await perform(service, queryEntities, query)
    const { continuation } = first
    const second = await perform(service, queryEntities, { ...query, continuation })
    expect([...first.entities, ...second.entities]).toEqual([{ n: 1 }, { n: 2 }])
    expect(second.continuation).toBeUndefined()
    expect(transport.requests.map((request) => request.query)).toEqual([
      '$filter=n%20gt%200&$select=n&$top=1',
      '$filter=n%20gt%200&$select=n&$top=1&NextPartitionKey=1!8!a',
    ])
  })

  it('keeps no body in memory while it waits for the response', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const kept = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const transport = undiciTransport({ dispatcher: { dispatch: () => true } })
    const service = { ...serviceOver(transport), transport }
    const row = JSON.stringify({ PartitionKey: 'Smith', RowKey: '1', notes: 'a'.repeat(30_000) })
    const changes = Array.from({ length: 50 }, (_, at) => ({
      operation: insertEntity,
      input: { ...jeff, key: { partitionKey: 'Smith', rowKey: `${at}` }, body: row },
    }))
    const before = kept()
    const stop = new AbortController()
    const options = { signal: stop.signal }
    const calls = Array.from({ length: 20 }, () =>
      perform(service, entityGroupTransaction, { table: 'people', changes }, options),
    )
    await new Promise(setImmediate)
    expect(kept() - before).toBeLessThan(5_000_000)
    // Their timeouts would end them in the middle of another test.
    stop.abort()
    await Promise.allSettled(calls)
  })

  it('waits for an asynchronous credential', async () => {
    const transport = scriptedTransport({ body: jeff.body })
    const service: TableService = {
      ...serviceOver(transport),
      credential: {
        authorize: async (request) => ({ ...request, headers: { authorization: 'Bearer x' } }),
      },
    }
    await perform(service, findEntity, jeff)
    expect(transport.requests[0]?.headers).toEqual({ authorization: 'Bearer x' })
  })

  it('waits for a promise of another realm', async () => {
    const transport = scriptedTransport({ body: jeff.body })
    const inOtherRealm = runInNewContext('(value) => Promise.resolve(value)')
    const authorize = (request: HttpRequest): Promise<HttpRequest> =>
      inOtherRealm({ ...request, headers: { authorization: 'Bearer x' } })
    const service: TableService = { ...serviceOver(transport), credential: { authorize } }
    await perform(service, findEntity, jeff)
    expect(transport.requests[0]?.headers).toEqual({ authorization: 'Bearer x' })
  })

  it('rejects with the error of a credential itself, and sends nothing', async () => {
    const boom = new TypeError('no token')
    const transport = scriptedTransport({ body: '{}' })
    const credential = { authorize: () => Promise.reject(boom) }
    const service: TableService = { ...serviceOver(transport), credential }
    await expect(perform(service, insertEntity, jeff)).rejects.toBe(boom)
    expect(transport.requests).toHaveLength(0)
  })
})
