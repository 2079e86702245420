import { describe, expect, it } from 'vitest'
import {
  readRetryAfter,
  requestIdOf,
} from '../../../packages/rest/src/response/response-headers.ts'
import { START } from '../service-over.ts'

describe('readRetryAfter', () => {
  it.each([
    [{ 'x-ms-retry-after-ms': '9' }, 9],
    [{ 'retry-after-ms': ' 250 ' }, 250],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:03 GMT' }, 3000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '7', 'x-ms-retry-after-ms': '9' }, 9],
  ])('reads %j', (headers, delay) => {
    expect(readRetryAfter(headers, START)).toBe(delay)
  })

  it.each(['', 'soon', '-1', '1e9', 'NaN', 'Infinity', '1,5', '20', '2026', 'x GMT'])(
    'accepts only a number or a date: %j',
    (text) => {
      const isNumber = /^\d+$/.test(text)
      expect(readRetryAfter({ 'retry-after': text }, START)).toBe(
        isNumber ? Number(text) * 1000 : undefined,
      )
    },
  )

  it.each(['Fri, 20 Nov 2026 11:00:00 GMT', 'Fri, 20 Nov 2026 13:00:00 GMT'])(
    'counts a date by the clock of the service, at %s',
    (date) => {
      const asked = { date, 'retry-after': date.replace('00 GMT', '03 GMT') }
      expect(readRetryAfter(asked, START)).toBe(3000)
      expect(readRetryAfter(asked)).toBe(3000)
    },
  )

  it('counts a date by the clock of this machine when the response has no clock', () => {
    const asked = { date: 'today', 'retry-after': 'Fri, 20 Nov 2026 12:00:03 GMT' }
    expect(readRetryAfter(asked, START)).toBe(3000)
  })

  it('returns undefined without a header', () => {
    expect(readRetryAfter({}, START)).toBeUndefined()
  })

  it('ignores a date without a clock', () => {
    const date = 'Fri, 20 Nov 2026 12:00:03 GMT'
    expect(readRetryAfter({ 'retry-after': date })).toBeUndefined()
    expect(readRetryAfter({ 'retry-after': '3' })).toBe(3000)
  })
})

describe('requestIdOf', () => {
  it.each([
    ['2d0b3a0e-1002-0040-1234-5678abcdef00', '2d0b3a0e-1002-0040-1234-5678abcdef00'],
    ['x'.repeat(65), undefined],
    ['<html>', undefined],
    ['', undefined],
  ])('reads only what is an id: %j', (text, id) => {
    expect(requestIdOf({ headers: { 'x-ms-request-id': text } })).toBe(id)
  })

  it('is undefined without the header', () => {
    expect(requestIdOf({ headers: {} })).toBeUndefined()
  })
})
