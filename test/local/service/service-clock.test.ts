import { ticksOf } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { machineTime, ServiceClock } from '../../../packages/local/src/service/service.ts'

describe('ServiceClock', () => {
  it('R-12: never gives the same stamp twice, even when time stands still or goes back', () => {
    let now = 1000
    const clock = new ServiceClock(() => now)
    const stamps = [clock.stamp(), clock.stamp()]
    now = 500
    stamps.push(clock.stamp())
    now = 1001
    stamps.push(clock.stamp())
    expect(stamps.map(ticksOf)).toEqual([10_000_000n, 10_000_001n, 10_000_002n, 10_010_000n])
  })

  it('R-12: gives parts of a millisecond, and never goes back within one', () => {
    let now = 1000.25
    const clock = new ServiceClock(() => now)
    const stamps = [clock.stamp()]
    for (now of [1000.75, 1000.5, 1001, 1001.0001]) stamps.push(clock.stamp())
    expect(stamps.map(ticksOf)).toEqual([
      10_002_500n,
      10_007_500n,
      10_007_501n,
      10_010_000n,
      10_010_001n,
    ])
  })

  it('R-12: reads parts of a millisecond from the clock of the machine', () => {
    const clock = new ServiceClock(machineTime)
    const parts = Array.from({ length: 20 }, () => clock.stamp().ticksPastMs)
    expect(Math.max(...parts)).toBeGreaterThan(parts.length)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000)
  })

  it('R-177: gives seven digits on Cosmos DB, as its ETags have', () => {
    const clock = new ServiceClock(() => 0, 'cosmos')
    const stamps = Array.from({ length: 25_000 }, () => clock.stamp())
    expect(stamps.filter(({ ticksPastMs }) => ticksPastMs % 10 === 0)).toEqual([])
    const ticks = stamps.map(ticksOf)
    expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => (a < b ? -1 : 1)))
  })

  it('continues in the next millisecond when one is full', () => {
    const clock = new ServiceClock(() => 0)
    const ticks = Array.from({ length: 25_000 }, () => ticksOf(clock.stamp()))
    const first = ticks[0] ?? 0n
    expect(ticks).toEqual(Array.from(ticks, (_, at) => first + BigInt(at)))
  })
})
