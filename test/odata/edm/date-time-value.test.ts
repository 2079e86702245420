import {
  DateTimeValue,
  dateTimeOfTicks,
  edmCodecs,
  parseDateTime,
  printDateTime,
  ticksOf,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findDateTime,
  isTemporalInstant,
  MAX_MS,
  MIN_MS,
  printInstant,
} from '../../../packages/odata/src/edm/date-time-value.ts'
import { invalidValue } from '../../support/rejections.ts'
import { dateTimeTexts, invalidDateTimeTexts } from '../../vectors/edm-date-times.ts'

const TEXT = '2017-11-10T02:46:55.7383596Z'

describe('DateTime', () => {
  it('is a Date that keeps seven fraction digits', () => {
    const instant = DateTimeValue.parse(TEXT)
    expect(instant).toBeInstanceOf(Date)
    expect(instant.toISOString()).toBe('2017-11-10T02:46:55.738Z')
    expect(instant.toJSON()).toBe(TEXT)
    expect(JSON.stringify([instant])).toBe(`["${TEXT}"]`)
    expect(instant.ticksPastMs).toBe(3_596)
  })

  it('counts ticks of 100 ns since 1970, negative before', () => {
    expect(DateTimeValue.parse('1970-01-01T00:00:00.0000001Z').ticks).toBe(1n)
    expect(DateTimeValue.parse('1969-12-31T23:59:59.9999999Z').ticks).toBe(-1n)
    expect(ticksOf(new Date(2))).toBe(20_000n)
  })

  it('is made of its ticks', () => {
    for (const ticks of [0n, 1n, -1n, 10_000n, -9_999n, 15_102_820_157_383_596n]) {
      expect(dateTimeOfTicks(ticks).ticks).toBe(ticks)
    }
  })

  it('has 0 ticks past the millisecond by default', () => {
    expect(new DateTimeValue(5).ticks).toBe(50_000n)
  })

  it('drops the ticks when a setter moves it', () => {
    const instant = DateTimeValue.parse(TEXT)
    instant.setUTCFullYear(2018)
    expect(instant.toJSON()).toBe('2018-11-10T02:46:55.738Z')
    expect(instant.ticks % 10_000n).toBe(0n)
  })

  it('keeps the ticks when a setter does not move it', () => {
    const instant = DateTimeValue.parse(TEXT)
    instant.setUTCFullYear(2017)
    expect(instant.toJSON()).toBe(TEXT)
  })

  it.each([-1, 10_000, 0.5, Number.NaN, '1' as never])('rejects %j as ticks', (ticks) => {
    expect(() => new DateTimeValue(0, ticks)).toThrow(invalidValue)
  })

  it('is null in JSON when it is invalid, as a Date is', () => {
    expect(JSON.stringify(new DateTimeValue(Number.NaN))).toBe('null')
  })

  it('has the range of a Date, which is wider than the range of the service', () => {
    expect(new DateTimeValue(Date.UTC(1066, 9, 14)).toJSON()).toBe('1066-10-14T00:00:00.000Z')
  })
})

describe('parseDateTime', () => {
  it('states the rule, and does not show the text', () => {
    expect(() => parseDateTime('tomorrow', 'since')).toThrow(
      /^Property "since": a string of 8 UTF-16 units is not a valid DateTime\. Use ISO 8601 text of an instant from 1601-01-01T00:00:00Z to 9999-12-31T23:59:59\.9999999Z, with up to seven fraction digits\.$/,
    )
  })

  it.each([null, undefined, 5, {}])('rejects %j', (text) => {
    expect(() => parseDateTime(text as never)).toThrow(invalidValue)
  })
})

describe('printDateTime', () => {
  it('writes the fraction without trailing zeros, as the service does', () => {
    expect(printDateTime(new Date(0))).toBe('1970-01-01T00:00:00Z')
    expect(printDateTime(new Date(120))).toBe('1970-01-01T00:00:00.12Z')
    expect(printDateTime(new DateTimeValue(120, 10))).toBe('1970-01-01T00:00:00.120001Z')
  })

  it('keeps the ticks of a DateTime that another copy of the package made', () => {
    class Foreign extends Date {
      readonly ticksPastMs = 7
    }
    expect(printDateTime(new Foreign(0))).toBe('1970-01-01T00:00:00.0000007Z')
  })

  it.each([new Date(Number.NaN), new Date(-1e14), null, 'x', {}])('rejects %o', (date) => {
    expect(() => printDateTime(date as never)).toThrow(invalidValue)
    expect(() => ticksOf(date as never)).toThrow(invalidValue)
  })
})

const { DateTime: codec } = edmCodecs

/** Looks like a `Temporal.Instant`, a class that Node 20 does not have. */
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
  ])('accepts a Temporal.Instant of %d ns', (nanoseconds, text) => {
    expect(printDateTime(codec.accept(instantOf(nanoseconds), 'p'))).toBe(text)
  })

  it('accepts every Temporal.Instant of whole ticks', () => {
    const ticks = fc.bigInt({ min: -116_444_736_000_000_000n, max: 2_534_023_007_999_999_999n })
    fc.assert(
      fc.property(ticks, (given) => {
        const taken = codec.accept(instantOf(given * 100n), 'p') as unknown as { ticks: bigint }
        expect(taken.ticks).toBe(given)
      }),
      { numRuns: 2_000 },
    )
  })

  it('rejects a Temporal.Instant that it would have to round', () => {
    expect(() => codec.accept(instantOf(150n), 'p')).toThrow('round the Temporal.Instant first')
  })

  it('rejects a Temporal.Instant outside of 1601 to 9999', () => {
    expect(() => codec.accept(instantOf(10n ** 21n), 'p')).toThrow('1601-01-01')
  })

  it('rejects a zoned time', () => {
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

const instants = fc.tuple(
  fc.integer({ min: MIN_MS, max: MAX_MS }),
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_999 })),
)

const partsOf = (text: string) => {
  const instant = findDateTime(text)
  return instant && { ms: instant.getTime(), ticksPastMs: instant.ticksPastMs }
}

describe('findDateTime', () => {
  it.each(dateTimeTexts)('reads $text', ({ text, ms, ticks }) => {
    expect(partsOf(text)).toEqual({ ms, ticksPastMs: ticks })
  })

  it.each(invalidDateTimeTexts)('returns undefined for %j', (text) => {
    expect(findDateTime(text)).toBeUndefined()
  })

  it('reads the text that Date writes', () => {
    fc.assert(
      fc.property(instants, ([ms]) => {
        expect(partsOf(new Date(ms).toISOString())).toEqual({ ms, ticksPastMs: 0 })
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('printInstant', () => {
  it('writes instants of one minute and of many as Date does', () => {
    const near = fc.tuple(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -60_000, max: 60_000 }),
    )
    fc.assert(
      fc.property(fc.array(near), (offsets) => {
        for (const [year, past] of offsets) {
          const date = new Date(Date.UTC(1970 + year, 0, 1) + past)
          const trimmed = date.toISOString().replace(/\.?0*Z$/, 'Z')
          expect(printInstant(date.getTime(), 0)).toBe(trimmed)
        }
      }),
    )
  })

  it.each(dateTimeTexts)('writes $text', ({ text, printed, ms, ticks }) => {
    expect(printInstant(ms, ticks)).toBe(printed ?? text)
  })

  it('writes text without trailing zeros that findDateTime reads', () => {
    fc.assert(
      fc.property(instants, ([ms, ticksPastMs]) => {
        const text = printInstant(ms, ticksPastMs)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,6}[1-9])?Z$/)
        expect(partsOf(text)).toEqual({ ms, ticksPastMs })
      }),
      { numRuns: 3_000 },
    )
  })
})
