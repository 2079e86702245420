import { edmCodecs } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { Double } = edmCodecs

describe('Double', () => {
  it('always shows that it is none of the integers', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = Double.writeJson(value)
        expect(text).toMatch(/^-?\d+(\.\d+(e-?\d+)?|e-?\d+)$/)
        expect(Object.is(Number(text), value)).toBe(true)
        expect(Double.printLiteral(value)).toBe(text)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['4', 4],
    ['-1.5e3', -1500],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-INF', Number.NEGATIVE_INFINITY],
  ])('reads the text %s', (text, value) => {
    expect(Double.readJson(text, 'p')).toBe(value)
  })

  it('compares as IEEE 754 does', () => {
    expect(Double.compare(0, -0)).toBe(0)
    expect(Double.compare(1, 2)).toBe(-1)
    expect(Double.compare(Number.POSITIVE_INFINITY, 1e308)).toBe(1)
    expect(Double.compare(Number.NaN, Number.NaN)).toBeNaN()
  })
})
