import type { ServerResponse } from 'node:http'
import { localTableService } from '@rowkey/local'
import {
  createTable,
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  entityGroupTransaction,
  findEntity,
  type HttpMethod,
  type HttpResponse,
  insertEntity,
  mergeEntity,
  OperationContext,
  perform,
  SharedKeyCredential,
  type TableService,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { afterEach, describe, expect, it } from 'vitest'
import { rowOf } from './faulty-service.ts'
import { bodyOf, loopbackServer } from './http/loopback-server.ts'

type Cut = 'before' | 'after' | 'half' | 'silent'

const open: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A service behind a real server, which cuts its first responses as configured. */
async function behindCuts(cuts: Cut[]): Promise<TableService> {
  const local = localTableService()
  const { origin, close } = await loopbackServer(async (request, response) => {
    const body = await bodyOf(request)
    const cut = request.url?.endsWith('/Tables') ? undefined : cuts.shift()
    if (cut === 'before') return request.socket.resetAndDestroy()
    const [path = '', query = ''] = (request.url ?? '').split('?')
    // The client sends each header once.
    const headers = request.headers as Record<string, string>
    const method = request.method as HttpMethod
    const whole = await local.transport({ method, origin, path, query, headers, body })
    if (cut === 'after') return request.socket.resetAndDestroy()
    if (cut !== 'silent') write(response, whole, cut === 'half')
  })
  const service = tableService({
    endpoint: `${origin}/${DEVELOPMENT_ACCOUNT}`,
    credential: new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }),
    transport: undiciTransport(),
    sleep: async () => {},
  })
  open.push(() => service.close(), close)
  await perform(service, createTable, { table: 'people' })
  return service
}

function write(response: ServerResponse, { status, headers, body }: HttpResponse, half: boolean) {
  const { 'transfer-encoding': _, ...others } = headers
  if (!half) return response.writeHead(status, others).end(body)
  response.writeHead(status === 204 ? 201 : status, { ...others, 'content-length': '9999' })
  return response.write(body, () => response.socket?.destroy())
}

const stored = async (service: TableService) =>
  (await perform(service, findEntity, rowOf(0)))?.raw.n

describe('over real sockets', () => {
  it.each([
    ['before', undefined],
    ['after', false],
    ['half', false],
  ] as const)('stores an insert once whose connection breaks %s the response', async (cut, own) => {
    const service = await behindCuts([cut])
    const result = await perform(service, insertEntity, rowOf(2))
    expect(result.etagIsOwn).toBe(own)
    expect(await stored(service)).toBe(2)
  })

  it('stores an insert once whose response comes too late', async () => {
    const service = await behindCuts(['silent'])
    const context = new OperationContext()
    await perform(service, insertEntity, rowOf(2), { timeout: 500, context })
    expect(context.attempts[0]).toMatchObject({
      verdict: 'may have applied',
      error: { code: 'AttemptTimeout' },
    })
    expect(await stored(service)).toBe(2)
  })

  it.each(['after', 'half'] as const)(
    'applies a transaction once whose connection breaks %s the response',
    async (cut) => {
      const service = await behindCuts([cut])
      const changes = [rowOf(2), rowOf(3, 'Other')].map((input) => ({
        operation: insertEntity,
        input,
      }))
      await perform(service, entityGroupTransaction, { table: 'people', changes })
      expect(await stored(service)).toBe(2)
    },
  )

  it('leaves a merge with an ETag in doubt', async () => {
    const cuts: Cut[] = []
    const service = await behindCuts(cuts)
    const { etag } = await perform(service, insertEntity, rowOf(1))
    cuts.push('after')
    const merge = perform(service, mergeEntity, { ...rowOf(2), etag })
    await expect(merge).rejects.toMatchObject({ code: 'AmbiguousWrite', attempts: 2 })
    expect(await stored(service)).toBe(2)
  })

  it('says that a write may have been applied when it is aborted during the wait', async () => {
    const service = await behindCuts(['silent'])
    const controller = new AbortController()
    const onEvent = () => void setImmediate(() => controller.abort('enough'))
    const context = new OperationContext({ onEvent })
    const { signal } = controller
    const write = perform(service, insertEntity, rowOf(2), { signal, context })
    await expect(write).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(context.attempts).toHaveLength(1)
  })
})
