import { ACCOUNT_BOUNDS, ConcurrencyLevel, levelOfRun, RequestGate } from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ServiceHabits, SimulatedService, spread } from './simulated-service.ts'

const { start, ceiling } = ACCOUNT_BOUNDS

function opened(habits: ServiceHabits) {
  const service = new SimulatedService(habits)
  return { service, level: new ConcurrencyLevel(service.clock) }
}

/** A service that bears so many requests in flight. */
const bearing = (most: number, latency = 20): ServiceHabits => ({
  latency: () => latency,
  throttles: ({ inFlight }) => inFlight > most,
})

describe('the level of an account', () => {
  it('begins at 8, and adds one every 3 ms when the first response takes longer than 30 ms', async () => {
    const { service, level } = opened({ latency: () => 120 })
    const levels: number[] = []
    for (const at of [29, 30.5, 33.5, 119]) service.at(at, () => levels.push(level.current))
    const { most } = await service.run(level, spread(100, 100))
    expect(levels).toEqual([8, 9, 10, 38])
    expect(most).toBeGreaterThan(38)
  })

  it('grows by half in each round trip, up to 64', async () => {
    const { service, level } = opened({ latency: () => 1 })
    const levels: number[] = []
    for (let trip = 1; trip <= 8; trip++) service.at(trip + 0.5, () => levels.push(level.current))
    await service.run(level, spread(600, 600))
    expect(levels.slice(0, 4)).toEqual([12, 18, 27, 40])
    expect(levels.at(-1)).toBe(ceiling)
  })

  it('sends 1,000 requests to a service at 200 ms as fast as 50 at once would', async () => {
    const { service, level } = opened({ latency: () => 200 })
    const { elapsed, most } = await service.run(level, spread(1_000, 50))
    expect(elapsed).toBeLessThan((1_000 / 50) * 200)
    expect(most).toBe(ceiling)
  })

  it('does not grow while the run does not need more', async () => {
    const { service, level } = opened({ latency: () => 1 })
    for (let run = 0; run < 20; run++) await service.run(level, spread(start, start))
    expect(level.current).toBe(start)
  })

  it('does not grow while requests take more than three times as long as the fastest', async () => {
    const habits = { latency: (now: number) => (now < 5 ? 5 : 60) }
    const { service, level } = opened(habits)
    const { most } = await service.run(level, spread(300, 300))
    expect(most).toBeLessThanOrEqual(2 * (start + 5))
  })

  it('keeps what it learned for the next run, and begins anew after 30 seconds', async () => {
    const { service, level } = opened({ latency: () => 5 })
    await service.run(level, spread(500, 500))
    expect(level.current).toBe(ceiling)
    service.pass(29_000)
    await service.run(level, ['p'])
    expect(level.current).toBe(ceiling)
    service.pass(30_001)
    await service.run(level, ['p'])
    expect(level.current).toBe(start)
  })
})

describe('a level whose account is throttled', () => {
  it('halves once for all requests that were in flight together', () => {
    const { service, level } = opened({ latency: () => 1 })
    const slots = Array.from({ length: 8 }, () => level.begin(undefined))
    for (const slot of slots) level.throttled(slot, 0)
    expect(level.current).toBe(4)
    level.throttled(slots[0]!, 0) // a later attempt counts again
    expect(level.current).toBe(2)
    expect(service.clock.now()).toBe(0)
  })

  it('halves the number in flight, when that is lower', () => {
    const { level } = opened({ latency: () => 1 })
    const [one] = [level.begin(undefined), level.begin(undefined), level.begin(undefined)]
    level.throttled(one!, 0)
    expect(level.current).toBe(1)
  })

  it('comes to rest below the number that the service bears', async () => {
    const { service, level } = opened(bearing(12))
    await service.run(level, spread(400, 400))
    const { most, throttled } = await service.run(level, spread(400, 400))
    expect(most).toBeLessThanOrEqual(16)
    expect(throttled).toBeLessThanOrEqual(20)
    expect(level.current).toBeGreaterThanOrEqual(4)
  })

  it('grows again when the service bears more', async () => {
    const { service, level } = opened({
      latency: () => 10,
      throttles: ({ now, inFlight }) => now < 1_000 && inFlight > 4,
    })
    await service.run(level, spread(200, 200))
    expect(level.current).toBeLessThanOrEqual(4)
    const { elapsed } = await service.run(level, spread(20_000, 20_000))
    expect(level.current).toBe(ceiling)
    expect(elapsed).toBeLessThan(20_000)
  })

  it('receives fewer throttled responses than 8 at once, whatever the service bears below 8', async () => {
    for (const most of [1, 2, 3, 4, 6, 7]) {
      const own = opened(bearing(most))
      const fixed = opened(bearing(most))
      const { throttled } = await own.service.run(own.level, spread(500, 50))
      const unbending = new EightAtOnce(fixed.service)
      expect(throttled).toBeLessThanOrEqual(await unbending.throttled(spread(500, 50)))
    }
  })

  it.each([5, 20, 30])(
    'receives as many throttled responses as a fixed 8 from a service at %d ms that bears fewer',
    async (latency) => {
      for (const most of [1, 2, 3, 4, 5, 6, 7]) {
        for (const requests of [50, 150, 500]) {
          const own = opened(bearing(most, latency))
          const fixed = opened(bearing(most, latency))
          const eight = levelOfRun(8, fixed.level)
          const { throttled } = await fixed.service.run(eight, spread(requests, 50))
          expect(await own.service.run(own.level, spread(requests, 50))).toMatchObject({
            throttled,
          })
        }
      }
    },
  )

  it('receives few throttled responses from a service that bears a rate', async () => {
    const rate = (limit: number): ServiceHabits => {
      let [tokens, at] = [5, 0]
      return {
        latency: () => 5,
        throttles: ({ now }) => {
          tokens = Math.min(5, tokens + ((now - at) * limit) / 1_000)
          at = now
          if (tokens < 1) return true
          tokens--
          return false
        },
      }
    }
    for (const limit of [50, 200, 500]) {
      const own = opened(rate(limit))
      const { throttled } = await own.service.run(own.level, spread(1_000, 50))
      const unbending = new EightAtOnce(opened(rate(limit)).service)
      expect(throttled).toBeLessThanOrEqual(await unbending.throttled(spread(1_000, 50)))
    }
  })
})

/** Eight requests at once that never become fewer: what the level replaces. */
class EightAtOnce {
  readonly #service: SimulatedService

  constructor(service: SimulatedService) {
    this.#service = service
  }

  async throttled(partitions: readonly string[]): Promise<number> {
    const level = new ConcurrencyLevel(this.#service.clock, { start: 8, ceiling: 8 })
    level.throttled = () => {}
    return (await this.#service.run(level, partitions)).throttled
  }
}

describe('a hot partition', () => {
  it('slows only its own requests, and is not starved', async () => {
    const { service, level } = opened({
      latency: () => 10,
      throttles: ({ partition, inPartition }) => partition === 'hot' && inPartition > 1,
    })
    const partitions = spread(600, 60).map((name, index) => (index % 4 === 0 ? 'hot' : name))
    const { ended } = await service.run(level, partitions)
    expect(ended).toHaveLength(600)
    const lastOf = (isHot: boolean) =>
      ended.findLastIndex((index) => (partitions[index] === 'hot') === isHot)
    expect(lastOf(false)).toBeLessThan(lastOf(true))
    expect(level.current).toBeGreaterThanOrEqual(start)
    expect(level.currentOf('hot')).toBeLessThan(8)
    expect(level.currentOf('p1')).toBe(ceiling)
  })

  it('counts as the account when another partition is throttled within a second', () => {
    const { service, level } = opened({ latency: () => 1 })
    const slots = ['a', 'b', 'c', 'd', 'a'].map((partition) => level.begin(partition))
    level.throttled(slots[0]!, 2)
    level.throttled(slots[4]!, 2)
    expect(level.current).toBe(start)
    service.pass(1_001)
    level.throttled(slots[1]!, 1)
    expect(level.current).toBe(start)
    service.pass(1_000)
    level.throttled(slots[2]!, 1)
    expect(level.current).toBe(2) // half of the five in flight
  })

  it('remembers 256 partitions at most', () => {
    const { level } = opened({ latency: () => 1 })
    for (let n = 0; n < 300; n++) level.throttled(level.begin(`p${n}`), 2)
    expect(level.currentOf('p0')).toBe(ceiling)
    expect(level.currentOf('p299')).toBe(1)
  })
})

it('uses the time of this machine unless told otherwise', async () => {
  const gate = new RequestGate(new ConcurrencyLevel())
  const calls = Array.from({ length: 12 }, (_, index) => gate.pass(async () => index))
  expect(await Promise.all(calls)).toHaveLength(12)
})

it('ends every request, in bounds and the same way each time, whatever the service does', async () => {
  const habits = fc.record({
    latency: fc.integer({ min: 0, max: 300 }),
    step: fc.integer({ min: 0, max: 2_000 }),
    later: fc.integer({ min: 0, max: 300 }),
    most: fc.integer({ min: 1, max: 100 }),
    mostInPartition: fc.integer({ min: 1, max: 40 }),
    failing: fc.integer({ min: 2, max: 30 }),
    requests: fc.integer({ min: 1, max: 200 }),
    partitions: fc.integer({ min: 1, max: 60 }),
    fixed: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(habits, async (given) => {
      const play = async () => {
        const service = new SimulatedService({
          latency: (now) => (now < given.step ? given.latency : given.later),
          throttles: ({ inFlight, inPartition }) =>
            inFlight > given.most || inPartition > given.mostInPartition,
          fails: (index) => index % given.failing === 1,
        })
        const level = levelOfRun(given.fixed, new ConcurrencyLevel(service.clock))
        const report = await service.run(level, spread(given.requests, given.partitions))
        expect(level.current).toBeGreaterThanOrEqual(1)
        expect(level.current).toBeLessThanOrEqual(level.ceiling)
        return report
      }
      const report = await play()
      expect(report.ended.toSorted((one, other) => one - other)).toEqual([
        ...Array(given.requests).keys(),
      ])
      expect(report.most).toBeLessThanOrEqual(given.fixed ?? ceiling)
      expect(await play()).toEqual(report)
    }),
    { numRuns: 60 },
  )
})
