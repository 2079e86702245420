import { ticksOf } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  machineTime,
  ServiceClock,
  TableDeletions,
} from '../../../packages/local/src/service/service.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

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

const beingDeleted = expect.objectContaining({ status: 409, code: 'TableBeingDeleted' })

describe('TableDeletions', () => {
  it('R-25: reserves a name, in any case, until its time is over', async () => {
    let now = 1000
    const deletions = new TableDeletions(new MemoryStore(), () => now, 40_000)
    await deletions.begin('contoso', 'People')
    await expect(deletions.check('contoso', 'people')).rejects.toEqual(beingDeleted)
    await deletions.check('contoso', 'others')
    await deletions.check('fabrikam', 'people')
    now += 39_999
    await expect(deletions.check('contoso', 'PEOPLE')).rejects.toEqual(beingDeleted)
    now += 1
    await deletions.check('contoso', 'people')
    now -= 1
    await deletions.check('contoso', 'people')
  })

  it('reserves a name of Cosmos DB in its own case only', async () => {
    const deletions = new TableDeletions(new MemoryStore(), () => 0, 100, 'cosmos')
    await deletions.begin('contoso', 'People')
    await expect(deletions.check('contoso', 'People')).rejects.toEqual(beingDeleted)
    await deletions.check('contoso', 'people')
  })

  it('reserves no name without a time', async () => {
    const deletions = new TableDeletions(new MemoryStore(), () => 0, 0)
    await deletions.begin('contoso', 'people')
    await deletions.check('contoso', 'people')
  })

  it('leaves reserved names for the next service, and none that are over', async () => {
    let now = 0
    const store = new MemoryStore()
    const first = new TableDeletions(store, () => now, 100)
    await Promise.all([first.begin('contoso', 'places'), first.begin('contoso', 'things')])
    now = 60
    await first.begin('contoso', 'people')
    expect((await store.keptNames()).size).toBe(3)

    now = 100
    const next = new TableDeletions(store, () => now, 100)
    await next.check('contoso', 'places')
    await expect(next.check('contoso', 'people')).rejects.toEqual(beingDeleted)
    await next.begin('contoso', 'more')
    expect([...(await store.keptNames()).keys()]).toEqual(['contoso/people', 'contoso/more'])
  })

  it('frees all names at once, also for the next service', async () => {
    const store = new MemoryStore()
    const deletions = new TableDeletions(store, () => 0, 100)
    await deletions.begin('contoso', 'people')
    await deletions.clear()
    await deletions.check('contoso', 'people')
    await new TableDeletions(store, () => 0, 100).check('contoso', 'people')
  })

  it('reads the names again after an error', async () => {
    const store = new MemoryStore()
    await new TableDeletions(store, () => 0, 100).begin('contoso', 'people')
    let failures = 1
    const failing = {
      keptNames: () =>
        failures-- > 0 ? Promise.reject(new RangeError('not now')) : store.keptNames(),
      setKeptNames: (names: ReadonlyMap<string, number>) => store.setKeptNames(names),
    }
    const deletions = new TableDeletions(failing, () => 0, 100)
    await expect(deletions.check('contoso', 'people')).rejects.toThrow('not now')
    await expect(deletions.check('contoso', 'people')).rejects.toEqual(beingDeleted)
  })
})
