import { describe, expect, it } from 'vitest'
import { readNumber } from '../../../packages/odata/src/filter/read-number.ts'

describe('readNumber', () => {
  it.each([
    ['5', 'Int32', 5],
    ['-2147483648', 'Int32', -2_147_483_648],
    ['2147483648', 'Int64', 2_147_483_648n],
    ['5L', 'Int64', 5n],
    ['5.0', 'Double', 5],
    ['5e2', 'Double', 500],
    ['5D', 'Double', 5],
    ['5.5f', 'Double', 5.5],
    ['-INF', 'Double', Number.NEGATIVE_INFINITY],
  ])('reads %s as %s', (text, type, value) => {
    expect(readNumber(text)).toEqual({ type, value })
  })

  it('reads -0 as the Int32 zero, of which there is one', () => {
    expect(Object.is(readNumber('-0')?.value, 0)).toBe(true)
  })

  it.each([
    '',
    '-',
    '5.',
    '.5',
    '+5',
    '5LL',
    '5.5L',
    '5e',
    '1_000',
    '0x10',
    '٣',
    '9223372036854775808',
  ])('reads nothing from %j', (text) => {
    expect(readNumber(text)).toBeUndefined()
  })
})
