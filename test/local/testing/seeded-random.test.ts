import { seededRandom } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const take = (seed: number, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

describe('seededRandom', () => {
  it('returns the same numbers for the same seed, and others for another', () => {
    expect(take(42, 20)).toEqual(take(42, 20))
    expect(take(42, 20)).not.toEqual(take(43, 20))
    expect(take(-1, 1)[0]).toBeGreaterThanOrEqual(0)
  })

  it('spreads its numbers from 0 to below 1', () => {
    const numbers = take(7, 10_000)
    const tenths = numbers.map((number) => Math.floor(number * 10))
    for (let tenth = 0; tenth < 10; tenth += 1) {
      expect(tenths.filter((one) => one === tenth).length).toBeGreaterThan(800)
    }
    expect(tenths.every((tenth) => tenth >= 0 && tenth < 10)).toBe(true)
  })

  it.each([0.5, Number.NaN, '1'])('rejects the seed %o', (seed) => {
    expect(() => seededRandom(seed as number)).toThrow(InputError)
  })
})
