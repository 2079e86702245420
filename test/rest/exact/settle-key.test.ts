import {
  type CallOptions,
  insertEntity,
  noRetry,
  OperationContext,
  perform,
  settleIdempotencyKey,
  type TableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { exactService, isAtSecondary, personOf, sweepingBeforeRead } from './exact-service.ts'

const idempotencyKey = 'order-7'
const write = { table: 'people', partitionKey: 'Smith', idempotencyKey }

const settle = (service: TableService, options?: CallOptions) =>
  settleIdempotencyKey(service, write, options)

describe('settleIdempotencyKey', () => {
  it('R-24: shows that a write of another process was applied', async () => {
    const { client } = await exactService()
    await perform(client(), insertEntity, personOf('Jeff'), { idempotencyKey })
    expect(await settle(client())).toBe('applied')
    expect(await settle(client())).toBe('applied')
  })

  it('R-24: keeps a late request from being applied', async () => {
    const { client, deliverLate, rows } = await exactService()
    const lost = perform(client(['late', 'late', 'late']), insertEntity, personOf('Jeff'), {
      ...{ idempotencyKey, retry: noRetry },
    })
    await expect(lost).rejects.toMatchObject({ mayHaveApplied: true })
    expect(await settle(client())).toBe('not applied')
    await deliverLate()
    expect((await rows()).has('Jeff')).toBe(false)
  })

  it('finds a write that used its key again after a fence', async () => {
    const { client } = await exactService()
    expect(await settle(client())).toBe('not applied')
    await perform(client(), insertEntity, personOf('Jeff'), { idempotencyKey })
    expect(await settle(client())).toBe('applied')
  })

  it('is unknown when the marker is swept between the fence and the read', async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'), { idempotencyKey })
    expect(await settle(sweepingBeforeRead(service, service.client()))).toBe('unknown')
  })

  it('tells the truth when the response to its own fence is lost', async () => {
    const { client } = await exactService()
    expect(await settle(client(['lost response']))).toBe('not applied')
  })

  it.each([
    ['of the call', {}, { deadline: 200 }],
    ['of the service', { deadline: 200 }, {}],
  ])('shares the deadline %s among all of its requests', async (_, settings, options) => {
    const service = await exactService(settings)
    for (let times = 0; times < 22; times++) await settle(service.client())
    service.requests.length = 0
    const slow = service.client([], 10)
    await expect(settle(slow, options)).rejects.toMatchObject({ code: 'DeadlineExceeded' })
    expect(service.requests).toHaveLength(20)
  })

  it('reads at the primary only, whatever the mode of the service', async () => {
    const { client, requests } = await exactService({ locationMode: 'secondaryThenPrimary' })
    await perform(client(), insertEntity, personOf('Jeff'), { idempotencyKey })
    requests.length = 0
    expect(await settle(client())).toBe('applied')
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(requests.filter(isAtSecondary)).toEqual([])
  })

  it('records all of its requests in one context', async () => {
    const { client } = await exactService()
    await perform(client(), insertEntity, personOf('Jeff'), { idempotencyKey })
    const context = new OperationContext()
    expect(await settle(client(), { context })).toBe('applied')
    expect(context.attempts).toHaveLength(2)
  })

  it('rejects an invalid key', async () => {
    const { client } = await exactService()
    const unsent = { ...client(), transport: () => expect.fail('nothing must be sent') }
    const invalid = settleIdempotencyKey(unsent, { ...write, idempotencyKey: 'a b' })
    await expect(invalid).rejects.toMatchObject({ code: 'InvalidOptionValue' })
  })
})
