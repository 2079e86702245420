import {
  createTable,
  exponentialRetry,
  getEntity,
  insertEntity,
  linearRetry,
  noRetry,
  perform,
  type RetryPolicy,
  retryBudget,
  storageExponentialRetry,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkDelay } from '../../../packages/rest/src/retry/retry-policies.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { failedAttempt as failed, failedAttempt } from './failed-attempt.ts'

describe('noRetry', () => {
  it('R-112: makes one attempt', async () => {
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

  it('R-115: comes from the call, otherwise from the service, otherwise is exponential', async () => {
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
  it('R-113: receives each failure, and can retry one that is not transient', async () => {
    const seen: unknown[] = []
    const retry: RetryPolicy = {
      delayAfter({ number, status, code, transient, retryAfter }) {
        seen.push({ number, status, code, transient, retryAfter })
        return number < 2 ? 0 : undefined
      },
    }
    const transport = scriptedTransport({ status: 404, headers: { 'retry-after': '2' } })
    const call = perform(serviceOver(transport), getEntity, jeff, { retry })
    await expect(call).rejects.toMatchObject({ code: 'Http404', attempts: 2 })
    const failure = { status: 404, code: 'Http404', transient: false, retryAfter: 2000 }
    expect(seen).toEqual([
      { number: 1, ...failure },
      { number: 2, ...failure },
    ])
  })
})

describe('a RetryPolicy with an invalid result', () => {
  const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
  const gives = (delay: unknown) => ({ delayAfter: () => delay as number })
  const reading = (retry: RetryPolicy) =>
    perform(serviceOver(scriptedTransport({ status: 503 })), getEntity, jeff, { retry })

  it('gives up with null, too', async () => {
    await expect(reading(gives(null))).rejects.toMatchObject({ status: 503, attempts: 1 })
  })

  it.each([
    [Number.NaN, 'NaN'],
    [-5, '-5'],
    ['x', 'a value of type string'],
    [true, 'a value of type boolean'],
    [{}, 'a value of type object'],
  ])('is rejected: %s', async (delay, named) => {
    expect(() => checkDelay(delay)).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
    await expect(reading(gives(delay))).rejects.toThrow(
      `delayAfter of a RetryPolicy returned ${named}. Return milliseconds`,
    )
  })

  it('does not settle a doubt when it throws', async () => {
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

describe('exponentialRetry', () => {
  it('makes four attempts, with a bound that doubles', () => {
    const delays = [1, 2, 3, 4].map((number) => exponentialRetry().delayAfter(failed({ number })))
    expect(delays).toEqual([500, 1000, 2000, undefined])
  })

  it('waits between 0 and the bound', () => {
    const policy = exponentialRetry({ baseDelay: 100 })
    expect(policy.delayAfter(failed({ random: () => 0 }))).toBe(0)
    expect(policy.delayAfter(failed({ random: () => 0.25 }))).toBe(25)
  })

  it('never waits longer than maxDelay', () => {
    const policy = exponentialRetry({ attempts: 99, baseDelay: 100, maxDelay: 250 })
    const delays = [1, 2, 3, 90].map((number) => policy.delayAfter(failed({ number })))
    expect(delays).toEqual([100, 200, 250, 250])
  })

  it('waits as long as the service asks, up to maxDelay', () => {
    const policy = exponentialRetry({ maxDelay: 5000 })
    expect(policy.delayAfter(failed({ retryAfter: 0 }))).toBe(0)
    expect(policy.delayAfter(failed({ retryAfter: 1234 }))).toBe(1234)
    expect(policy.delayAfter(failed({ retryAfter: 60_000 }))).toBe(5000)
  })

  it('gives up on failures that are not transient', () => {
    expect(exponentialRetry().delayAfter(failed({ transient: false }))).toBeUndefined()
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ attempts: Number.POSITIVE_INFINITY }, 'attempts'],
    [{ baseDelay: -1 }, 'baseDelay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ tries: 3 }, 'tries'],
    [null, 'object'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => exponentialRetry(options as never)).toThrow(name)
  })
})

const first = { number: 1, transient: true, random: () => 0.9 }
const afterFirst = (policy: RetryPolicy, retryAfter?: number) =>
  policy.delayAfter(failed({ ...first, retryAfter }))

describe('a wait of 0', () => {
  it('retries at once, like minBackoff: 0 of the Java client', () => {
    expect(afterFirst(exponentialRetry({ baseDelay: 0 }))).toBe(0)
    expect(afterFirst(exponentialRetry({ maxDelay: 0 }))).toBe(0)
    expect(afterFirst(linearRetry({ delay: 0 }))).toBe(0)
    expect(afterFirst(linearRetry({ maxDelay: 0 }), 77)).toBe(0)
    expect(afterFirst(storageExponentialRetry({ minDelay: 0, deltaDelay: 0 }))).toBe(0)
    expect(afterFirst(storageExponentialRetry({ maxDelay: 0 }))).toBe(0)
  })
})

describe('a range of waits', () => {
  it.each([
    ['exponentialRetry', 'baseDelay', () => exponentialRetry({ baseDelay: 2, maxDelay: 1 })],
    [
      'storageExponentialRetry',
      'minDelay',
      () => storageExponentialRetry({ minDelay: 2, maxDelay: 1 }),
    ],
  ])('of %s must not be empty', (name, least, make) => {
    expect(make).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: `${least} of ${name} is 2, above maxDelay, which is 1. Lower it, or raise maxDelay.`,
      }),
    )
  })

  it('may end below a default, which then gives way', () => {
    expect(afterFirst(exponentialRetry({ maxDelay: 100 }))).toBe(90)
    expect(afterFirst(storageExponentialRetry({ maxDelay: 100 }))).toBe(100)
    expect(() => exponentialRetry({ baseDelay: 1, maxDelay: 1 })).not.toThrow()
  })
})

describe('noRetry', () => {
  it('never retries', () => {
    expect(noRetry.delayAfter(failed({}))).toBeUndefined()
  })
})

describe('linearRetry', () => {
  it('R-112: waits the same time after each attempt', () => {
    const policy = linearRetry({ attempts: 3, delay: 700 })
    const delays = [1, 2, 3].map((number) => policy.delayAfter(failedAttempt({ number })))
    expect(delays).toEqual([700, 700, undefined])
  })

  it('waits as long as the service asks, up to maxDelay', () => {
    const policy = linearRetry({ maxDelay: 5000 })
    expect(policy.delayAfter(failedAttempt({}))).toBe(3000)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 10 }))).toBe(10)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 60_000 }))).toBe(5000)
  })

  it('gives up on failures that are not transient', () => {
    expect(linearRetry().delayAfter(failedAttempt({ transient: false }))).toBeUndefined()
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ delay: 0.5 }, 'delay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ wait: 3 }, 'wait'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => linearRetry(options as never)).toThrow(name)
  })
})

/** The random number that varies the second part of a wait by this factor. */
const varying = (factor: number) => (factor - 0.8) / 0.4

/** The waits of a call that fails until it gives up, with the factor that each varies by. */
function waits(attempts: number, factors: readonly number[]): (number | undefined)[] {
  const policy = storageExponentialRetry({ attempts })
  return factors.map((factor, index) => {
    const random = () => varying(factor)
    const delay = policy.delayAfter(failedAttempt({ number: index + 1, random }))
    return delay === undefined ? undefined : Math.round(delay)
  })
}

describe('storageExponentialRetry', () => {
  it('R-111: waits 3,000, 35,691 and 90,000 ms like the Java client', () => {
    expect(waits(4, [1, 32_691 / 30_000, 1, 1])).toEqual([3000, 35_691, 90_000, undefined])
  })

  it('R-111: waits 3,000, 28,442, 80,000 and then 90,000 ms with six retries', () => {
    const factors = [1, 25_442 / 30_000, 77_000 / 90_000, 1, 1, 1, 1]
    expect(waits(7, factors)).toEqual([3000, 28_442, 80_000, 90_000, 90_000, 90_000, undefined])
  })

  it('R-111: varies by 20 % either way', () => {
    expect(waits(4, [1, 0.8])[1]).toBe(27_000)
    expect(waits(4, [1, 1.2])[1]).toBe(39_000)
  })

  it('waits as long as the service asks, up to maxDelay', () => {
    const policy = storageExponentialRetry()
    expect(policy.delayAfter(failedAttempt({ retryAfter: 5 }))).toBe(5)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 1e9 }))).toBe(90_000)
  })

  it('gives up on failures that are not transient', () => {
    expect(storageExponentialRetry().delayAfter(failedAttempt({ transient: false }))).toBe(
      undefined,
    )
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ minDelay: -1 }, 'minDelay'],
    [{ deltaDelay: 0.1 }, 'deltaDelay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ tries: 3 }, 'tries'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => storageExponentialRetry(options as never)).toThrow(name)
  })
})

describe('exponentialRetry while the service throttles', () => {
  const waits = (random: number, retry = exponentialRetry()) => {
    const all: number[] = []
    for (let number = 1; number < 100; number++) {
      const delay = retry.delayAfter({ ...failed({ number }), status: 429, random: () => random })
      if (delay === undefined) break
      all.push(delay)
    }
    return all
  }
  const total = (delays: readonly number[]) => delays.reduce((sum, delay) => sum + delay, 0)

  it('R-177: outlasts ten seconds, whatever the random numbers', () => {
    expect(waits(0)).toEqual([250, 500, 1000, 2000, 2000, 2000, 2000, 2000, 2000])
    expect(total(waits(0))).toBe(13_750)
    expect(total(waits(0.999_999))).toBeCloseTo(27_500, 0)
  })

  it('makes as many attempts as the caller allows', () => {
    expect(waits(0, exponentialRetry({ attempts: 3 }))).toHaveLength(2)
    expect(waits(0, exponentialRetry({ attempts: 3, throttledAttempts: 5 }))).toHaveLength(4)
    expect(waits(0, exponentialRetry({ maxDelay: 600 }))).toEqual([250, ...Array(8).fill(300)])
  })

  it('follows the wait that the service asks for', () => {
    const asked = { ...failed({ number: 9 }), status: 429, retryAfter: 30 }
    expect(exponentialRetry().delayAfter(asked)).toBe(30)
  })

  it('R-177: a call succeeds after ten seconds of 429 without a delay header', async () => {
    let now = START
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport: async () => ({ status: now < START + 10_000 ? 429 : 204, headers: {}, body: '' }),
      now: () => now,
      random: () => 0,
      sleep: async (delay) => {
        now += delay
      },
      retryBudget: retryBudget({ capacity: 1 }),
    })
    await perform(service, createTable, { table: 'people' })
    expect(now - START).toBeGreaterThanOrEqual(10_000)
    expect(now - START).toBeLessThan(14_000)
  })
})
