import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import {
  fetchTransport,
  findEntity,
  getEntity,
  insertEntity,
  mergeEntity,
  OperationContext,
  perform,
  queryEntities,
  type TableService,
  type TableServiceSettings,
} from '@rowkey/rest'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'
import { serviceOver } from '../service-over.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const serviceOverFetch = (settings?: TableServiceSettings): TableService =>
  serviceOver(fetchTransport(), settings)

type Turn = (request: Request) => Response | Promise<Response>

/** Responds with one turn after the other, the last one repeatedly, and records the requests. */
function respondWith(...turns: [Turn, ...Turn[]]): Request[] {
  const seen: Request[] = []
  const left: Turn[] = [...turns]
  // A wildcard, since parentheses in a path such as people(...) would be a pattern to msw.
  const handler = http.all(`${contoso.origin}/*`, ({ request }) => {
    seen.push(request.clone())
    const turn = left.length > 1 ? left.shift() : left[0]
    return turn?.(request)
  })
  server.use(handler)
  return seen
}

const entity =
  (headers: Record<string, string> = {}): Turn =>
  () =>
    HttpResponse.json({ PartitionKey: 'Smith', RowKey: 'Jeff' }, { headers })

const page =
  (rowKeys: readonly string[], headers: Record<string, string> = {}): Turn =>
  () => {
    const value = rowKeys.map((RowKey) => ({ PartitionKey: 'Smith', RowKey }))
    return HttpResponse.json({ value }, { headers })
  }

const stored: Turn = () => new HttpResponse(null, { status: 204, headers: { etag } })

const busy: Turn = () =>
  HttpResponse.json(
    { 'odata.error': { code: 'ServerBusy', message: { lang: 'en-US', value: 'Later.' } } },
    { status: 503 },
  )

const lost: Turn = () => HttpResponse.error()

describe('fetchTransport under msw', () => {
  it('reads an entity', async () => {
    const seen = respondWith(entity({ etag }))
    const found = await perform(serviceOverFetch(), getEntity, jeff)
    expect(found.raw).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff' })
    expect(seen.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      "GET /people(PartitionKey='Smith',RowKey='Jeff')",
    ])
  })

  it('sends an insert with its headers, body and signature', async () => {
    const seen = respondWith(stored)
    expect(await perform(serviceOverFetch(), insertEntity, jeff)).toEqual({ etag, status: 204 })
    expect(seen).toHaveLength(1)
    const headers = Object.fromEntries(seen[0]?.headers ?? [])
    expect(seen[0]).toMatchObject({ method: 'POST', url: `${contoso.origin}/people` })
    expect(await seen[0]?.text()).toBe(jeff.body)
    expect(headers).toMatchObject({
      accept: expect.stringContaining('application/json'),
      'content-type': expect.stringContaining('application/json'),
      prefer: 'return-no-content',
      'x-ms-client-request-id': 'id-1',
      'x-ms-date': 'Fri, 20 Nov 2026 12:00:00 GMT',
    })
    const signature = createHmac('sha256', Buffer.from('c2VjcmV0', 'base64'))
      .update('Fri, 20 Nov 2026 12:00:00 GMT\n/contoso/people')
      .digest('base64')
    expect(headers.authorization).toBe(`SharedKeyLite contoso:${signature}`)
  })

  it('continues a query where the headers of a page say', async () => {
    const next = {
      'x-ms-continuation-NextPartitionKey': '1!8!U21pdGg-',
      'x-ms-continuation-NextRowKey': '1!8!QmVu',
    }
    const seen = respondWith(page(['Al'], next), page(['Ben']))
    const service = serviceOverFetch()
    const first = await perform(service, queryEntities, { table: 'people', top: 1 })
    const { continuation } = first
    const second = await perform(service, queryEntities, { table: 'people', top: 1, continuation })
    expect([...first.entities, ...second.entities].map(({ RowKey }) => RowKey)).toEqual([
      'Al',
      'Ben',
    ])
    expect(second.continuation).toBeUndefined()
    expect(Object.fromEntries(new URL(seen[1]?.url ?? '').searchParams)).toEqual({
      $top: '1',
      NextPartitionKey: '1!8!U21pdGg-',
      NextRowKey: '1!8!QmVu',
    })
  })

  it('retries after 503 ServerBusy', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    const seen = respondWith(busy, entity())
    const found = await perform(serviceOverFetch({ sleep }), findEntity, jeff)
    expect(found?.raw).toMatchObject({ RowKey: 'Jeff' })
    expect(seen).toHaveLength(2)
    expect(waits).toHaveLength(1)
  })

  it('retries a read after a network error', async () => {
    const seen = respondWith(lost, entity())
    const context = new OperationContext()
    const found = await perform(serviceOverFetch(), findEntity, jeff, { context })
    expect(found?.raw).toMatchObject({ RowKey: 'Jeff' })
    expect(seen).toHaveLength(2)
    expect(context.attempts[0]?.error).toMatchObject({ code: 'TransportFailed' })
  })

  it('says that a write may have been applied after a network error', async () => {
    const seen = respondWith(lost)
    const merge = perform(serviceOverFetch(), mergeEntity, { ...jeff, etag })
    await expect(merge).rejects.toMatchObject({ code: 'AmbiguousWrite', mayHaveApplied: true })
    expect(seen[0]?.headers.get('if-match')).toBe(etag)
  })

  it('ends at once when it is aborted, together with the request', async () => {
    const controller = new AbortController()
    let ended: Promise<unknown> | undefined
    const seen = respondWith(async ({ signal }) => {
      ended = once(signal, 'abort')
      controller.abort('enough')
      await ended
      return new HttpResponse(null, { status: 204 })
    })
    const { signal } = controller
    const insert = perform(serviceOverFetch(), insertEntity, jeff, { signal })
    await expect(insert).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied: true,
    })
    await ended
    expect(seen).toHaveLength(1)
  })

  it('does not follow a redirect', async () => {
    const location = `${contoso.origin}/elsewhere`
    const seen = respondWith(() => new HttpResponse(null, { status: 307, headers: { location } }))
    await expect(perform(serviceOverFetch(), findEntity, jeff)).rejects.toMatchObject({
      code: 'UnexpectedResponse',
      message: expect.stringContaining('redirect'),
    })
    expect(seen).toHaveLength(1)
  })
})
