import { edmCodecs, printDateTime } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTemporalInstant } from '../../../packages/odata/src/edm/date-time.ts'

const { DateTime: codec } = edmCodecs

/** What a `Temporal.Instant` shows of itself; Node 20 has none. */
const instantOf = (epochNanoseconds: bigint) => ({
  [Symbol.toStringTag]: 'Temporal.Instant',
  epochNanoseconds,
})

describe('DateTime in properties', () => {
  it.each([
    [1_510_282_015_738_359_600n, '2017-11-10T02:46:55.7383596Z'],
    [-100n, '1969-12-31T23:59:59.9999999Z'],
    [-1_000_000n, '1969-12-31T23:59:59.999Z'],
    [0n, '1970-01-01T00:00:00Z'],
  ])('takes a Temporal.Instant of %d ns', (nanoseconds, text) => {
    expect(printDateTime(codec.accept(instantOf(nanoseconds), 'p'))).toBe(text)
  })

  it('takes every Temporal.Instant whose nanoseconds it can hold', () => {
    const ticks = fc.bigInt({ min: -116_444_736_000_000_000n, max: 2_534_023_007_999_999_999n })
    fc.assert(
      fc.property(ticks, (given) => {
        const taken = codec.accept(instantOf(given * 100n), 'p') as unknown as { ticks: bigint }
        expect(taken.ticks).toBe(given)
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses a Temporal.Instant that it would have to round', () => {
    expect(() => codec.accept(instantOf(150n), 'p')).toThrow('round the Temporal.Instant first')
  })

  it('refuses a Temporal.Instant outside of 1601 to 9999', () => {
    expect(() => codec.accept(instantOf(10n ** 21n), 'p')).toThrow('1601-01-01')
  })

  it('does not take a zoned time for an instant', () => {
    const zoned = { [Symbol.toStringTag]: 'Temporal.ZonedDateTime', epochNanoseconds: 0n }
    expect(isTemporalInstant(zoned)).toBe(false)
    expect(() => codec.accept(zoned, 'p')).toThrow('an object')
  })

  it('compares by ticks', () => {
    const [early, late] = ['2017-11-10T02:46:55.7383595Z', '2017-11-10T02:46:55.7383596Z'].map(
      (text) => codec.readJson(text, 'p'),
    ) as [Date, Date]
    expect(codec.compare(early, late)).toBeLessThan(0)
    expect(codec.compare(late, early)).toBeGreaterThan(0)
    expect(codec.compare(late, late)).toBe(0)
    expect(codec.compare(new Date(1), late)).toBeLessThan(0)
  })
})
