import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findDateTime,
  MAX_MS,
  MIN_MS,
  printInstant,
} from '../../../packages/odata/src/edm/date-time-value.ts'
import { dateTimeTexts, invalidDateTimeTexts } from '../../vectors/edm-date-times.ts'

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
