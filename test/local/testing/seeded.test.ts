import { localTableService, seededIds, seededRandom } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('seededIds returns the same UUIDs for the same seed, each once', () => {
  const take = (seed: number) => {
    const newId = seededIds(seed)
    return Array.from({ length: 1000 }, newId)
  }
  const ids = take(42)
  expect(ids).toEqual(take(42))
  expect(ids).not.toEqual(take(43))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(UUID)
})

it('a service with seeded ids gives identical responses', async () => {
  const response = () =>
    localTableService({ newId: seededIds(1), now: () => 0 }).transport({
      method: 'GET',
      origin: 'http://localhost',
      path: '/',
      query: '',
      headers: {},
      body: undefined,
    })
  expect(await response()).toEqual(await response())
})

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
