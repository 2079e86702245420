import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import {
  type InjectedFault,
  type LocalListener,
  type LocalTableService,
  localTableService,
  manualClock,
} from '@rowkey/local'
import {
  AmbiguousWriteError,
  createTable,
  findEntity,
  insertEntity,
  mergeEntity,
  noRetry,
  OperationContext,
  perform,
  queryEntities,
  type TableService,
  type Transport,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  deliverRejection,
  deliverRequest,
} from '../../../packages/local/src/delivery/deliver-request.ts'
import type { Delivery } from '../../../packages/local/src/delivery/delivery.ts'
import { Rejection } from '../../../packages/local/src/rejection/rejection.ts'
import { textOf } from '../../../packages/local/src/response/service-response.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import { jeff } from '../../rest/people.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { ACCOUNT, Conversation, codeOf, NOON, sign } from '../../support/local-conversation.ts'

describe.each(['in process', 'over HTTP'])('a client of a faulty service, %s', (way) => {
  const clock = manualClock()
  let local: LocalTableService
  let service: TableService
  let transport: Transport

  beforeEach(async () => {
    local = localTableService({ now: clock.now, pause: clock.sleep })
    const listener = await local.listen({ port: 0 })
    const overHttp = way === 'over HTTP'
    transport = overHttp ? undiciTransport() : local.transport
    service = tableService({
      connectionString: overHttp ? listener.connectionString : local.connectionString(),
      transport,
      now: clock.now,
      sleep: clock.sleep,
    })
    await perform(service, createTable, { table: 'people' })
  })

  afterEach(async () => {
    await transport.close?.()
    await local.close()
  })

  const inject = (fault: InjectedFault, nth = 1) => local.faults.add({ nth, fault })

  it.each<InjectedFault>([
    { kind: 'lost request' },
    { kind: 'lost request', connection: 'reset' },
    { kind: 'lost response' },
    { kind: 'lost response', connection: 'reset' },
    { kind: 'rejection', code: 'RequestTimeout', applied: true },
    { kind: 'rejection', code: 'TooManyRequests', retryAfter: 2000 },
    { kind: 'rejection', code: 'InternalError', applied: true },
    { kind: 'rejection', code: 'OperationTimedOut', applied: true },
    { kind: 'rejection', code: 'ServerBusy' },
    { kind: 'late response', delay: 3000 },
    { kind: 'truncated body' },
    { kind: 'duplicate delivery' },
  ])('an insert is applied exactly once despite the fault %o', async (fault) => {
    const added = inject(fault)
    const { etag } = await perform(service, insertEntity, jeff)
    expect(added.fired).toBe(1)
    const found = await perform(service, findEntity, jeff)
    expect(found?.etag).toBe(etag)
    const { entities } = await perform(service, queryEntities, { table: 'people' })
    expect(entities).toHaveLength(1)
  })

  it('a conditional write with a lost response is ambiguous', async () => {
    const { etag } = await perform(service, insertEntity, jeff)
    local.faults.add({ operation: 'mergeEntity', nth: 1, fault: { kind: 'lost response' } })
    const body = '{"PartitionKey":"Smith","RowKey":"Jeff","n":1}'
    const merge = perform(service, mergeEntity, { ...jeff, body, etag })
    await expect(merge).rejects.toThrow(AmbiguousWriteError)
    await expect(merge).rejects.toMatchObject({ mayHaveApplied: true })
    expect((await perform(service, findEntity, jeff))?.raw).toMatchObject({ n: 1 })
  })

  it('a retry waits as long as the rejection says', async () => {
    const before = clock.now()
    inject({ kind: 'rejection', code: 'TooManyRequests', retryAfter: 7000 })
    await perform(service, insertEntity, jeff)
    expect(clock.now() - before).toBeGreaterThanOrEqual(7000)
  })

  it('a read completes despite a slow or truncated body', async () => {
    await perform(service, insertEntity, jeff)
    for (const kind of ['slow body', 'truncated body'] as const) {
      const added = inject(kind === 'slow body' ? { kind, delay: 10 } : { kind })
      const found = await perform(service, findEntity, jeff)
      expect(found?.raw).toMatchObject({ RowKey: 'Jeff' })
      expect(added.fired).toBe(1)
    }
  })

  it('a query continues after a page that was cut to nothing', async () => {
    await perform(service, insertEntity, jeff)
    inject({ kind: 'cut page', rows: 0 })
    const first = await perform(service, queryEntities, { table: 'people' })
    expect(first.entities).toEqual([])
    const { continuation } = first
    const second = await perform(service, queryEntities, { table: 'people', continuation })
    expect(second.entities).toMatchObject([{ RowKey: 'Jeff' }])
    expect(second.continuation).toBeUndefined()
  })

  it('a call succeeds against a service whose clock is an hour fast', async () => {
    local.faults.add({ fault: { kind: 'wrong clock', offset: 3_600_000 } })
    const context = new OperationContext()
    await perform(service, insertEntity, jeff, { context })
    expect(context.attempts.map(({ status }) => status)).toEqual([403, 204])
  })
})

describe('deliverRequest', () => {
  const request = {
    method: 'GET',
    origin: 'http://localhost',
    path: '/devstoreaccount1/Tables',
    query: '',
    headers: {},
    body: undefined,
  } as const

  it('delivers the whole response and logs the request without a fault', async () => {
    const service = createService({})
    const delivery = await deliverRequest(service, request)
    expect(delivery).toMatchObject({ kind: 'whole', response: { status: 403 } })
    expect(service.requests.entries()).toMatchObject([{ operation: 'queryTables', status: 403 }])
  })

  longTest.each(['storage', 'cosmos'] as const)(
    'ends a scan of the flavour %s when its client is gone, and delivers nothing',
    async (flavour) => {
      const service = createService({ flavour })
      let looks = 0
      const deliveries: Delivery[] = []
      const client = tableService({
        connectionString: 'UseDevelopmentStorage=true',
        flavour,
        retry: noRetry,
        async transport(sent) {
          const delivery = await deliverRequest(service, sent, { isGone: () => ++looks > 2 })
          deliveries.push(delivery)
          if (delivery.kind === 'whole') {
            return { ...delivery.response, body: textOf(delivery.response.body) }
          }
          throw new Error('nothing came')
        },
      })
      const table = 'people'
      await perform(client, createTable, { table })
      for (let row = 0; row < 600; row++) {
        const key = { partitionKey: 'p', rowKey: String(row) }
        const body = JSON.stringify({ PartitionKey: 'p', RowKey: String(row) })
        await perform(client, insertEntity, { table, key, body })
      }
      await expect(perform(client, queryEntities, { table })).rejects.toThrow(
        'the transport failed',
      )
      expect(looks).toBe(3)
      expect(deliveries.at(-1)).toEqual({ kind: 'lost', connection: 'closed' })
      expect(service.requests.entries().at(-1)).toMatchObject({
        operation: 'queryEntities',
        status: undefined,
      })
    },
  )

  it('responds 500 and reports the error when a function of a rule throws', async () => {
    const reported: unknown[] = []
    const service = createService({ onInternalError: (error) => reported.push(error) })
    const failure = new RangeError('a mistake in a test')
    const when = () => {
      throw failure
    }
    service.faults.add({ when, fault: { kind: 'lost response' } })
    const delivery = await deliverRequest(service, request)
    expect(delivery).toMatchObject({ kind: 'whole', response: { status: 500 } })
    expect(reported).toEqual([failure])
    expect(service.requests.entries()).toMatchObject([{ status: 500, fault: undefined }])
  })

  it('logs rejections of requests that were not read', () => {
    const service = createService({})
    const delivery = deliverRejection(service, request, new Rejection('RequestBodyTooLarge'))
    expect(delivery).toMatchObject({ kind: 'whole', response: { status: 413 } })
    expect(service.requests.entries()).toMatchObject([{ status: 413 }])
  })
})

const row = (rowKey: string) => ({ PartitionKey: 'a', RowKey: rowKey })

describe('a fault', () => {
  let waits: number[]
  let service: Conversation
  let listener: LocalListener

  beforeEach(async () => {
    waits = []
    service = new Conversation({
      pause: async (delay) => {
        waits.push(delay)
      },
    })
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await service.send('POST', '/people', { body: row('b') })
    listener = await service.local.listen({ port: 0 })
  })

  afterEach(() => service.local.close())

  const inject = (fault: InjectedFault) => service.local.faults.add({ nth: 1, fault })
  const insert = () => service.send('POST', '/people', { body: row('c') })
  const list = () => service.send('GET', '/people()')
  const rowKeys = async () =>
    JSON.parse((await list()).body).value.map((one: { RowKey: string }) => one.RowKey)

  /** Reads everything that a socket receives, and how the connection ends. */
  const hear = () =>
    new Promise<{ text: string; end: string }>((resolve) => {
      const date = new Date(service.now).toUTCString()
      const socket = connect(listener.port, '127.0.0.1')
      let text = ''
      let end = 'closed'
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        end = error.code ?? ''
      })
      socket.on('close', () => resolve({ text, end }))
      socket.write(
        `GET /${ACCOUNT}/people() HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/json\r\nx-ms-date: ${date}\r\nAuthorization: SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}/${ACCOUNT}/people()`)}\r\n\r\n`,
      )
    })

  it('does nothing for a lost request, and everything for a lost response', async () => {
    inject({ kind: 'lost request' })
    await expect(insert()).rejects.toMatchObject({ mayHaveApplied: true })
    expect(await rowKeys()).toEqual(['b'])
    inject({ kind: 'lost response' })
    await expect(insert()).rejects.toMatchObject({ mayHaveApplied: true })
    expect(await rowKeys()).toEqual(['b', 'c'])
  })

  it('ends the connection of a lost response in order, or by a reset', async () => {
    inject({ kind: 'lost response' })
    expect(await hear()).toEqual({ text: '', end: 'closed' })
    inject({ kind: 'lost request', connection: 'reset' })
    expect(await hear()).toEqual({ text: '', end: 'ECONNRESET' })
    expect(service.local.requests.entries().slice(-2)).toMatchObject([
      { fault: 'lost response', status: undefined },
      { fault: 'lost request', status: undefined },
    ])
  })

  it.each([
    ['RequestTimeout', 408],
    ['TableBeingDeleted', 409],
    ['TooManyRequests', 429],
    ['InternalError', 500],
    ['OperationTimedOut', 500],
    ['ServerBusy', 503],
  ] as const)('of the rejection %s has status %i', async (code, status) => {
    inject({ kind: 'rejection', code })
    const refused = await insert()
    expect(codeOf(refused)).toEqual([status, code])
    expect(refused.headers).not.toHaveProperty('retry-after')
    expect(refused.headers['x-ms-error-code']).toBe(code)
    expect(await rowKeys()).toEqual(['b'])
  })

  it('of a rejection can set retry-after, and can apply the request', async () => {
    inject({ kind: 'rejection', code: 'TooManyRequests', retryAfter: 1500, applied: true })
    const { headers } = await insert()
    expect([headers['retry-after'], headers['x-ms-retry-after-ms']]).toEqual(['2', '1500'])
    expect(await rowKeys()).toEqual(['b', 'c'])
  })

  it('delays a response', async () => {
    inject({ kind: 'late response', delay: 7000 })
    expect((await list()).status).toBe(200)
    inject({ kind: 'late response', delay: 8000 })
    expect((await hear()).text).toContain('"RowKey":"b"')
    expect(waits).toEqual([7000, 8000])
  })

  it('stops in the middle of a body and continues', async () => {
    inject({ kind: 'slow body', delay: 7000 })
    const { text } = await hear()
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '').value).toHaveLength(1)
    inject({ kind: 'slow body', delay: 8000, after: 0 })
    expect((await list()).status).toBe(200)
    inject({ kind: 'slow body', delay: 9000 })
    const headers = { prefer: 'return-no-content' }
    expect((await service.send('POST', '/people', { body: row('c'), headers })).status).toBe(204)
    expect(waits).toEqual([7000, 8000, 9000])
  })

  it('truncates a body', async () => {
    inject({ kind: 'truncated body', after: 5 })
    const [head, body] = (await hear()).text.split('\r\n\r\n')
    expect(body).toHaveLength(5)
    const promised = Number(/content-length: (\d+)/.exec(head ?? '')?.[1])
    expect(promised).toBeGreaterThan(5)
    inject({ kind: 'truncated body', after: 1_000_000 })
    expect((await hear()).text.split('\r\n\r\n')[1]).toHaveLength(promised - 1)
    inject({ kind: 'truncated body' })
    await expect(list()).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('loses a response without a body to truncate', async () => {
    inject({ kind: 'truncated body' })
    const path = "/people(PartitionKey='a',RowKey='b')"
    const headers = { 'if-match': '*' }
    await expect(service.send('DELETE', path, { headers })).rejects.toMatchObject({
      mayHaveApplied: true,
    })
    expect(await rowKeys()).toEqual([])
  })

  it('cuts a page, even to nothing, with a token that continues', async () => {
    await insert()
    const tokenOf = (headers: Readonly<Record<string, string>>) => [
      headers['x-ms-continuation-nextpartitionkey'],
      headers['x-ms-continuation-nextrowkey'],
    ]
    inject({ kind: 'cut page', rows: 0 })
    const empty = await list()
    expect(JSON.parse(empty.body).value).toEqual([])
    inject({ kind: 'cut page', rows: 1 })
    const [partition, next] = tokenOf(empty.headers)
    const target = `/people()?NextPartitionKey=${partition}&NextRowKey=${next}`
    const first = await service.send('GET', target)
    expect(JSON.parse(first.body).value).toMatchObject([row('b')])
    inject({ kind: 'cut page', rows: 1 })
    const filtered = await service.send('GET', `/people()?$filter=RowKey%20ne%20'b'`)
    expect(JSON.parse(filtered.body).value).toEqual([])
    expect(tokenOf(filtered.headers)).toEqual(tokenOf(first.headers))
    inject({ kind: 'cut page', rows: 0 })
    const tables = await service.send('GET', '/Tables')
    expect(JSON.parse(tables.body).value).toEqual([])
    expect(tables.headers['x-ms-continuation-nexttablename']).toBeDefined()
  })

  it('of a wrong clock rejects correct dates, and has a wrong Date', async () => {
    inject({ kind: 'wrong clock', offset: 20 * 60_000 })
    const { status, headers } = await list()
    expect([status, headers['x-ms-error-code']]).toEqual([403, 'AuthenticationFailed'])
    expect(Date.parse(headers.date ?? '')).toBe(NOON + 20 * 60_000)
    inject({ kind: 'wrong clock', offset: -60_000 })
    const slow = await list()
    expect([slow.status, Date.parse(slow.headers.date ?? '')]).toEqual([200, NOON - 60_000])
  })

  it('of a duplicate delivery applies the request twice, and delivers one response', async () => {
    inject({ kind: 'duplicate delivery' })
    expect((await insert()).status).toBe(201)
    inject({ kind: 'duplicate delivery', response: 'second' })
    const path = "/people(PartitionKey='a',RowKey='c')"
    const deleted = await service.send('DELETE', path, { headers: { 'if-match': '*' } })
    expect(deleted.status).toBe(404)
  })

  it.each(['the client is gone', 'the listener closes'])(
    'ends its delay when %s',
    async (reason) => {
      let begin = () => {}
      const began = new Promise<void>((resolve) => {
        begin = resolve
      })
      const conversation = new Conversation({
        pause: (_, signal) =>
          new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve())
            begin()
          }),
      })
      const other = await conversation.local.listen({ port: 0 })
      conversation.local.faults.add({ fault: { kind: 'late response', delay: 9e9 } })
      const message = httpRequest({ port: other.port, path: '/', agent: false })
      const over = new Promise((resolve) => message.on('close', resolve))
      message.on('error', () => {})
      message.end()
      await began
      if (reason === 'the client is gone') message.destroy()
      await other.close()
      await over
    },
  )
})
