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
