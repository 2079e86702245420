import { ACCOUNT_BOUNDS, ConcurrencyLevel, levelOfRun } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery } from '../../support/rejections.ts'
import { type ServiceHabits, SimulatedService, spread } from './simulated-service.ts'

const { start } = ACCOUNT_BOUNDS

function opened(habits: ServiceHabits) {
  const service = new SimulatedService(habits)
  return { service, level: new ConcurrencyLevel(service.clock) }
}

describe('a level that is fixed by hand', () => {
  it('allows the number from the start, and fewer only while the service throttles', async () => {
    const { service, level } = opened({
      latency: () => 10,
      throttles: ({ now, inFlight }) => now < 100 && inFlight > 10,
    })
    const fixed = levelOfRun(20, level)
    const { trace } = await service.run(fixed, spread(20, 20))
    expect(trace).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(fixed.current).toBeLessThan(20)
    await service.run(fixed, spread(10_000, 10_000))
    expect(fixed.current).toBe(20)
    expect(level.current).toBe(start)
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity, '8', null])('rejects %j', (given) => {
    expect(() => levelOfRun(given as number, undefined)).toThrow(invalidQuery)
  })
})
