import {
  getEntity,
  insertEntity,
  noRetry,
  OptionValueError,
  perform,
  type RetryPolicy,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkDelay } from '../../../packages/rest/src/retry/retry-policy.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('noRetry', () => {
  it('R-112: leaves it at one attempt', async () => {
    const transport = scriptedTransport({ status: 503 })
    const service = serviceOver(transport, { retry: noRetry })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
    expect(transport.requests).toHaveLength(1)
  })
})

describe('a RetryPolicy', () => {
  const times = (attempts: number): RetryPolicy => ({
    delayAfter: ({ number }) => (number < attempts ? 0 : undefined),
  })

  it('R-115: is that of the call, else of the service, else exponential', async () => {
    const transport = scriptedTransport({ status: 503 })
    const service = serviceOver(transport, { retry: times(2) })
    const plain = serviceOver(transport)
    const ofCall = perform(service, getEntity, jeff, { retry: times(3) })
    await expect(ofCall).rejects.toMatchObject({ attempts: 3 })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 2 })
    await expect(perform(plain, getEntity, jeff)).rejects.toMatchObject({ attempts: 4 })
  })
})

describe('a RetryPolicy of the caller', () => {
  it('R-113: sees each failure, and can repeat what is not transient', async () => {
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

describe('a RetryPolicy that errs', () => {
  const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
  const gives = (delay: unknown) => ({ delayAfter: () => delay as number })
  const reading = (retry: RetryPolicy) =>
    perform(serviceOver(scriptedTransport({ status: 503 })), getEntity, jeff, { retry })

  it('gives up with null as with undefined', async () => {
    await expect(reading(gives(null))).rejects.toMatchObject({ status: 503, attempts: 1 })
  })

  it.each([Number.NaN, -5, 'x', true, {}])('is told of it: %s', async (delay) => {
    expect(() => checkDelay(delay)).toThrow(OptionValueError)
    await expect(reading(gives(delay))).rejects.toThrow('delayAfter of a RetryPolicy gave')
  })

  it('settles no doubt by throwing', async () => {
    const boom = new TypeError('boom')
    const throwing: RetryPolicy = {
      delayAfter() {
        throw boom
      },
    }
    await expect(reading(throwing)).rejects.toBe(boom)
    for (const retry of [throwing, gives(-1)]) {
      const service = serviceOver(scriptedTransport(lost), { retry })
      await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({
        code: 'AmbiguousWrite',
        mayHaveApplied: true,
      })
    }
  })
})
