import { getEntity, noRetry, perform, type RetryPolicy } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('noRetry', () => {
  it('leaves it at one attempt', async () => {
    const transport = scriptedTransport({ status: 503 })
    const service = serviceOver(transport, { retry: noRetry })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
    expect(transport.requests).toHaveLength(1)
  })
})

describe('a RetryPolicy of the caller', () => {
  it('sees each failure, and can repeat what is not transient', async () => {
    const seen: unknown[] = []
    const retry: RetryPolicy = {
      delayAfter({ number, status, code, transient, retryAfter }) {
        seen.push({ number, status, code, transient, retryAfter })
        return number < 2 ? 0 : undefined
      },
    }
    const transport = scriptedTransport({ status: 404, headers: { 'retry-after': '2' } })
    const answer = perform(serviceOver(transport), getEntity, jeff, { retry })
    await expect(answer).rejects.toMatchObject({ code: 'Http404', attempts: 2 })
    const failure = { status: 404, code: 'Http404', transient: false, retryAfter: 2000 }
    expect(seen).toEqual([
      { number: 1, ...failure },
      { number: 2, ...failure },
    ])
  })
})
