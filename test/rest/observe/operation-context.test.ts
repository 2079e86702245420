import { getEntity, OperationContext, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { etag, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

describe('OperationContext', () => {
  it('rejects a listener that is not a function', () => {
    expect(() => new OperationContext({ onEvent: 5 as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('has no attempt before the call', () => {
    expect(new OperationContext()).toMatchObject({ attempts: [], lastAttempt: undefined })
  })

  it('R-104: belongs to one call: another call with it is rejected before anything is sent', async () => {
    const transport = scriptedTransport({ body: jeff.body }, { body: jeff.body })
    const service = serviceOver(transport)
    const context = new OperationContext()
    const refused = { code: 'InvalidOptionValue', details: { option: 'context' } }
    const both = [1, 2].map(() => perform(service, getEntity, jeff, { context }))
    const [first, second] = await Promise.allSettled(both)
    expect(first).toMatchObject({ status: 'fulfilled' })
    expect(second).toMatchObject({ status: 'rejected', reason: refused })
    await expect(perform(service, getEntity, jeff, { context })).rejects.toMatchObject(refused)
    expect(transport.requests).toHaveLength(1)
    expect(context.attempts).toHaveLength(1)
  })

  it('of a service records all of its calls', async () => {
    const context = new OperationContext()
    const service = serviceOver(scriptedTransport({ body: jeff.body }, { body: jeff.body }), {
      context,
    })
    for (let calls = 0; calls < 2; calls++) await perform(service, getEntity, jeff)
    expect(context.attempts).toHaveLength(2)
  })

  it('R-104, R-106: records every request of a call: status, ids, times, ETag and error', async () => {
    let now = START
    const transport = scriptedTransport(
      { status: 503, headers: { 'x-ms-request-id': 'a' } },
      { headers: { 'x-ms-request-id': 'b', etag }, body: '{}' },
    )
    const context = new OperationContext()
    const service = serviceOver(transport, { now: () => now++ })
    await perform(service, getEntity, { ...jeff, select: ['a'] }, { context })
    expect(context.attempts).toHaveLength(transport.requests.length)
    expect(context.attempts).toEqual([
      {
        operation: 'getEntity',
        method: 'GET',
        url: "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')?$select=a",
        location: 'primary',
        clientRequestId: 'id-1',
        status: 503,
        requestId: 'a',
        etag: undefined,
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
        verdict: 'not applied',
        error: expect.objectContaining({ status: 503 }),
      },
      expect.objectContaining({
        status: 200,
        requestId: 'b',
        etag,
        verdict: 'succeeded',
        error: undefined,
      }),
    ])
    expect(context.lastAttempt?.startedAt).toBeGreaterThanOrEqual(
      context.attempts[0]?.endedAt ?? NaN,
    )
  })
})
