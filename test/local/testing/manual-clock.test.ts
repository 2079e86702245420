import { manualClock } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('manualClock', () => {
  it('moves only when asked to', async () => {
    const { now, advance, sleep } = manualClock(1000)
    expect([now(), now()]).toEqual([1000, 1000])
    advance(500)
    await sleep(70)
    await sleep(-5)
    advance(-20)
    expect(now()).toBe(1550)
    expect(manualClock().now()).toBe(Date.UTC(2026, 0, 1, 12))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5', null])('rejects %o', (value) => {
    expect(() => manualClock(value as number)).toThrow(InputError)
    expect(() => manualClock().advance(value as number)).toThrow(InputError)
  })
})
