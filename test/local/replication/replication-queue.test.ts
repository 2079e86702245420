import { InputError } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReplicationQueue } from '../../../packages/local/src/replication/replication-queue.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

const copy = new MemoryStore()
const write = (partitionKey?: string) => ({ account: 'contoso', table: 'people', partitionKey })

describe('ReplicationQueue', () => {
  it('returns due writes once, and the time since when a write is missing', async () => {
    let now = 1000
    const queue = new ReplicationQueue(() => now, 100)
    const arrived: string[] = []
    expect(queue.lastSyncTime()).toBe(1000)
    queue.add(write('a'), async () => arrived.push('first'))
    now = 1050
    queue.add(write('a'), async () => arrived.push('second'))
    expect(queue.lastSyncTime()).toBe(1000)
    now = 1100
    for (const apply of queue.takeDue()) await apply(copy)
    expect(arrived).toEqual(['first'])
    expect(queue.lastSyncTime()).toBe(1050)
    now = 1150
    expect(queue.lastSyncTime()).toBe(1150)
    expect([queue.takeDue().length, queue.takeDue().length]).toEqual([1, 0])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, undefined, '5'])(
    'rejects a lag of %o, with which a write would never arrive',
    (lag) => {
      const queue = new ReplicationQueue(
        () => 0,
        () => lag as number,
      )
      expect(() => queue.add(write(), async () => {})).toThrow(InputError)
    },
  )

  it('drops pending writes', () => {
    const queue = new ReplicationQueue(() => 0, 0)
    queue.add(write(), async () => {})
    queue.clear()
    expect(queue.takeDue()).toEqual([])
  })

  it('R-119, R-120: keeps the order within a partition and of a whole table, for any lags', async () => {
    const writes = fc.array(
      fc.record({
        partitionKey: fc.constantFrom('a', 'b', undefined),
        lag: fc.nat(50),
        gap: fc.nat(10),
      }),
    )
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        let now = 0
        let lag = 0
        const queue = new ReplicationQueue(
          () => now,
          () => lag,
        )
        const arrived: number[] = []
        const arrive = async () => {
          for (const apply of queue.takeDue()) await apply(copy)
        }
        for (const [at, one] of all.entries()) {
          now += one.gap
          lag = one.lag
          await arrive()
          queue.add(write(one.partitionKey), async () => arrived.push(at))
        }
        now += 60
        await arrive()
        expect(arrived.length).toBe(all.length)
        const keyOf = (at: number) => all[at]?.partitionKey
        arrived.forEach((at, place) => {
          const overtaken = arrived.slice(place + 1).filter((later) => later < at)
          const ordered = overtaken.filter(
            (later) =>
              keyOf(later) === keyOf(at) || keyOf(later) === undefined || keyOf(at) === undefined,
          )
          expect(ordered).toEqual([])
        })
      }),
    )
  })
})
