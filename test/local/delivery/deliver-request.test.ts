import {
  type InjectedFault,
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
