import { describe, expect, it } from 'vitest'
import { parseSasTime } from '../../../packages/rest/src/sas/sas-token.ts'

describe('parseSasTime', () => {
  it.each([
    ['2021-09-21', 0],
    ['2021-09-21T01:02Z', 3720_000],
    ['2021-09-21T01:02:03Z', 3723_000],
    ['2021-09-21T01:02:03.1234567Z', 3723_123],
  ])('reads %s', (text, sinceMidnight) => {
    expect(parseSasTime(text)).toBe(Date.UTC(2021, 8, 21) + sinceMidnight)
  })

  it.each([undefined, '', 'soon'])('returns undefined for %j', (text) => {
    expect(parseSasTime(text)).toBeUndefined()
  })
})
