import { describe, expect, it } from 'vitest'
import { parseSasTime, printSasTime } from '../../../packages/rest/src/sas/sas-time.ts'

describe('printSasTime', () => {
  it('cuts what is finer than a second', () => {
    expect(printSasTime(new Date(Date.UTC(2021, 8, 21, 1, 2, 3, 999)), 'expiry')).toBe(
      '2021-09-21T01:02:03Z',
    )
  })

  it.each([new Date(Number.NaN), new Date(Date.UTC(10_000, 0)), new Date(-1e14), 7, null])(
    'refuses %s',
    (date) => {
      expect(() => printSasTime(date as Date, 'expiry')).toThrow(/expiry of a SAS/)
    },
  )
})

describe('parseSasTime', () => {
  it.each([
    ['2021-09-21', 0],
    ['2021-09-21T01:02Z', 3720_000],
    ['2021-09-21T01:02:03Z', 3723_000],
    ['2021-09-21T01:02:03.1234567Z', 3723_123],
  ])('reads %s', (text, sinceMidnight) => {
    expect(parseSasTime(text)).toBe(Date.UTC(2021, 8, 21) + sinceMidnight)
  })

  it.each([undefined, '', 'soon'])('knows no moment in %j', (text) => {
    expect(parseSasTime(text)).toBeUndefined()
  })
})
