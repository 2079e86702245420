import { getEntity, perform, retryBudget, type TableServiceSettings } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'
import { callsAtErrorRate } from '../simulation/error-rates.ts'

const busy = { status: 503 }

/** How many of some calls succeed, and how many requests they make, when requests fail by a rule. */
async function outage(
  calls: number,
  fails: (request: number) => boolean,
  settings?: TableServiceSettings,
) {
  const transport = scriptedTransport(async () => {
    const failed = fails(transport.requests.length)
    return { status: failed ? 503 : 200, headers: {}, body: failed ? '' : jeff.body }
  })
  const service = serviceOver(transport, settings)
  let succeeded = 0
  for (let call = 0; call < calls; call++) {
    const isOne = await perform(service, getEntity, jeff).then(
      () => true,
      () => false,
    )
    if (isOne) succeeded++
  }
  return { succeeded, requests: transport.requests.length }
}

describe('retryBudget', () => {
  it('returns a fraction for each success, up to its capacity', () => {
    const budget = retryBudget({ capacity: 2, earnings: 0.5 })
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
    budget.earn()
    expect(budget.spend()).toBe(false)
    budget.earn()
    expect([budget.spend(), budget.spend()]).toEqual([true, false])
    for (let success = 0; success < 99; success++) budget.earn()
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
  })

  it('returns two retries for each success at most', () => {
    const budget = retryBudget({ capacity: 3, earnings: 2 })
    for (let spent = 0; spent < 3; spent++) budget.spend()
    budget.earn()
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
  })

  it('limits retries in an outage to half the number of calls', async () => {
    const { succeeded, requests } = await outage(200, () => true)
    expect(succeeded).toBe(0)
    expect(requests).toBeLessThanOrEqual(300)
  })

  longTest('lets every call succeed when one request in ten fails', async () => {
    const { succeeded } = await outage(5000, (request) => request % 10 === 0)
    expect(succeeded).toBe(5000)
  })

  it('does not limit first attempts, so that calls succeed after the outage', async () => {
    const { succeeded } = await outage(300, (request) => request <= 250)
    expect(succeeded).toBeGreaterThanOrEqual(300 - 250 / 1.5)
  })

  longTest.each([
    [0.7, 0.3, 1.75],
    [0.1, 0.99, 1.2],
    [0.3, 0.98, 1.5],
    [0.5, 0.9, 2],
    [0.9, 0.1, 1.25],
    [1, 0, 1.1],
  ] as const)(
    'R-116: with an error rate of %d, success is at least %d in at most %d requests a call',
    async (rate, success, requests) => {
      for (const seed of [1, 2, 3].slice(0, randomSteps(3))) {
        const result = await callsAtErrorRate(rate, 1_500, { seed })
        expect(result.success).toBeGreaterThanOrEqual(success)
        expect(result.amplification).toBeLessThanOrEqual(requests)
      }
    },
  )

  longTest.each([
    [0.7, 0.94, 3.5],
    [0.3, 0.999, 1.6],
    [0.5, 0.99, 2.2],
  ] as const)(
    'R-116: with %d of the requests throttled, success is at least %d in at most %d requests a call',
    async (rate, success, requests) => {
      for (const seed of [1, 2, 3].slice(0, randomSteps(3))) {
        const result = await callsAtErrorRate(rate, 1_500, { seed, status: 429 })
        expect(result.success).toBeGreaterThanOrEqual(success)
        expect(result.amplification).toBeLessThanOrEqual(requests)
      }
    },
  )

  longTest(
    'R-116: when all requests are throttled, the waits reduce the load to less than 2 %',
    async () => {
      const usual = await callsAtErrorRate(0, 500)
      const throttled = await callsAtErrorRate(1, 500, { status: 429 })
      expect(throttled.perSecond).toBeLessThan(usual.perSecond * 0.02)
      expect(throttled.amplification).toBeLessThanOrEqual(10)
    },
  )

  longTest('retries again at once when an outage ends', async () => {
    const outage = 2_000
    const calls = 12_000
    const { success } = await callsAtErrorRate((elapsed) => (elapsed < outage ? 1 : 0.1), calls)
    // 32 callers make a call each 20 ms, and wait for their last retries when the budget is spent.
    const failedInOutage = (32 * outage) / 20
    expect(success).toBeGreaterThanOrEqual(1 - (failedInOutage + 20) / calls)
  })

  it('can be disabled', async () => {
    const { requests } = await outage(200, () => true, { retryBudget: false })
    expect(requests).toBe(800)
  })

  it('can be shared by services', async () => {
    const budget = retryBudget({ capacity: 1 })
    const first = scriptedTransport(busy)
    const second = scriptedTransport(busy)
    for (const transport of [first, second]) {
      const service = serviceOver(transport, { retryBudget: budget })
      await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ status: 503 })
    }
    expect([first.requests.length, second.requests.length]).toEqual([2, 1])
  })

  it.each([
    [{ capacity: 0 }, 'capacity'],
    [{ earnings: 0 }, 'earnings'],
    [{ earnings: 2.5 }, 'earnings'],
    [{ earnings: '1' }, 'earnings'],
    [{ tokens: 3 }, 'tokens'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => retryBudget(options as never)).toThrow(name)
  })

  it.each([true, null, {}, 5])('rejects %j', (budget) => {
    const settings = { retryBudget: budget as never }
    expect(() => serviceOver(scriptedTransport(busy), settings)).toThrow('retryBudget')
  })
})
