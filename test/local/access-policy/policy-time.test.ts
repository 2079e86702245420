import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  parsePolicyTime,
  printPolicyTime,
} from '../../../packages/local/src/access-policy/signed-identifier.ts'

const settled = (text: string) => {
  const time = parsePolicyTime(text)
  return time && printPolicyTime(time)
}

describe('policy times', () => {
  it.each([
    ['2011-10-11', '2011-10-11T00:00:00.0000000Z'],
    ['2011-10-11T12:34Z', '2011-10-11T12:34:00.0000000Z'],
    ['2011-10-11T12:34:56Z', '2011-10-11T12:34:56.0000000Z'],
    ['2011-10-11T12:34:56.7Z', '2011-10-11T12:34:56.7000000Z'],
    ['2011-10-11T12:34:56.1234567Z', '2011-10-11T12:34:56.1234567Z'],
  ])('R-74: parse %s as %s', (text, expected) => {
    expect(settled(text)).toBe(expected)
  })

  it.each([
    '',
    'tomorrow',
    '2011-10-32',
    '2011-02-29',
    '2011-10-11T12:34',
    '2011-10-11T12:34:56',
    '2011-10-11T12:34:56+01:00',
    '2011-10-11T12:34:56.12345678Z',
    '1600-01-01',
  ])('reject %j', (text) => {
    expect(parsePolicyTime(text)).toBeUndefined()
  })

  it('keep ticks beyond the millisecond', () => {
    expect(printPolicyTime(new DateTimeValue(0, 42))).toBe('1970-01-01T00:00:00.0000042Z')
  })
})
