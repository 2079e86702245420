import { TokenTrail } from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('TokenTrail', () => {
  it('never stops a run that goes on', () => {
    const trail = new TokenTrail('people', '0')
    for (let page = 1; page <= 2000; page++) trail.step(String(page))
    expect(() => trail.step(undefined)).not.toThrow()
  })

  it('stops a page that ends where it began, at once', () => {
    expect(() => new TokenTrail('people', 'a').step('a')).toThrow(/people .* that it began with/)
    const trail = new TokenTrail('people', undefined)
    for (const token of ['a', 'b', 'c', 'd', 'e']) trail.step(token)
    expect(() => trail.step('e')).toThrow(
      expect.objectContaining({ name: 'ContinuationLoopError', model: 'people' }),
    )
  })

  it('stops any circle, after whatever way into it, within three times round and the way', () => {
    const length = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), length, (way, round) => {
        const trail = new TokenTrail('people', undefined)
        const tokenOf = (page: number) => String(page < way ? page : way + ((page - way) % round))
        let page = 0
        expect(() => {
          for (; page < 3 * (way + round) + 3; page++) trail.step(tokenOf(page))
        }).toThrow(/continuation token/)
      }),
    )
  })
})
