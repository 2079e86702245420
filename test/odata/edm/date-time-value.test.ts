import {
  DateTimeValue,
  PropertyValueError,
  parseDateTime,
  printDateTime,
  ticksOf,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const TEXT = '2017-11-10T02:46:55.7383596Z'

describe('DateTime', () => {
  it('keeps seven digits and is a Date all the same', () => {
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

  it('has no ticks past the millisecond unless told', () => {
    expect(new DateTimeValue(5).ticks).toBe(50_000n)
  })

  it('forgets the ticks when a setter moves it', () => {
    const instant = DateTimeValue.parse(TEXT)
    instant.setUTCFullYear(2018)
    expect(instant.toJSON()).toBe('2018-11-10T02:46:55.738Z')
    expect(instant.ticks % 10_000n).toBe(0n)
  })

  it('keeps the ticks when a setter leaves it where it was', () => {
    const instant = DateTimeValue.parse(TEXT)
    instant.setUTCFullYear(2017)
    expect(instant.toJSON()).toBe(TEXT)
  })

  it.each([-1, 10_000, 0.5, Number.NaN, '1' as never])('takes no %j for ticks', (ticks) => {
    expect(() => new DateTimeValue(0, ticks)).toThrow(PropertyValueError)
  })

  it('is null in JSON when it is invalid, as a Date is', () => {
    expect(JSON.stringify(new DateTimeValue(Number.NaN))).toBe('null')
  })

  it('is as wide as a Date, though the service is not', () => {
    expect(new DateTimeValue(Date.UTC(1066, 9, 14)).toJSON()).toBe('1066-10-14T00:00:00.000Z')
  })
})

describe('parseDateTime', () => {
  it('says what it takes, and never the text', () => {
    expect(() => parseDateTime('tomorrow', 'since')).toThrow(
      /^Property "since" cannot hold a string of 8 UTF-16 units: DateTime takes instants from 1601.*ISO 8601 text\.$/,
    )
  })

  it.each([null, undefined, 5, {}])('refuses %j', (text) => {
    expect(() => parseDateTime(text as never)).toThrow(PropertyValueError)
  })
})

describe('printDateTime', () => {
  it('drops trailing zeros, as the service does', () => {
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

  it.each([new Date(Number.NaN), new Date(-1e14), null, 'x', {}])('refuses %o', (date) => {
    expect(() => printDateTime(date as never)).toThrow(PropertyValueError)
    expect(() => ticksOf(date as never)).toThrow(PropertyValueError)
  })
})
