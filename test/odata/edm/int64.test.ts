import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const { Int64 } = edmCodecs

describe('Int64', () => {
  it('takes safe integers for what they are', () => {
    expect(Int64.accept(Number.MAX_SAFE_INTEGER, 'p')).toBe(9_007_199_254_740_991n)
    expect(Int64.accept(-0, 'p')).toBe(0n)
  })

  it('reads a bare number that a service sent for the text', () => {
    expect(Int64.readJson(5, 'p')).toBe(5n)
  })

  it('keeps neighbours apart that a number cannot', () => {
    const text = ['9007199254740992', '9007199254740993']
    expect(text.map((digits) => Int64.readJson(digits, 'p'))).toEqual(text.map(BigInt))
    expect(Int64.compare(2n ** 53n, 2n ** 53n + 1n)).toBe(-1)
    expect(Int64.compare(2n ** 53n + 1n, 2n ** 53n)).toBe(1)
    expect(Int64.compare(5n, 5n)).toBe(0)
  })
})
