import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isInt32 } from '../../../packages/odata/src/edm/int32.ts'

const { Int32 } = edmCodecs

describe('Int32', () => {
  it('has one zero', () => {
    expect(Object.is(Int32.accept(-0, 'p'), 0)).toBe(true)
    expect(Object.is(Int32.readJson(-0, 'p'), 0)).toBe(true)
  })

  it('compares at the ends of its range', () => {
    expect(Int32.compare(-(2 ** 31), 2 ** 31 - 1)).toBeLessThan(0)
    expect(Int32.compare(2 ** 31 - 1, -(2 ** 31))).toBeGreaterThan(0)
    expect(Int32.compare(5, 5)).toBe(0)
  })

  it.each([
    [2 ** 31 - 1, true],
    [2 ** 31, false],
    [-(2 ** 31), true],
    [-(2 ** 31) - 1, false],
    [0.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [2 ** 32, false],
  ])('%d is whole and of 32 bits: %s', (value, expected) => {
    expect(isInt32(value)).toBe(expected)
  })
})
