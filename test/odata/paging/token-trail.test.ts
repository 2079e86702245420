import { TokenTrail } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('TokenTrail', () => {
  it('never stops a run that makes progress', () => {
    const trail = new TokenTrail('people', '0')
    for (let page = 1; page <= 2000; page++) trail.step(String(page), page % 2)
    expect(() => trail.step(undefined, 0)).not.toThrow()
  })

  it('stops a page that ends where it began, at once', () => {
    expect(() => new TokenTrail('people', 'a').step('a', 1)).toThrow(
      /people .* an earlier continuation token/,
    )
    const trail = new TokenTrail('people', undefined)
    for (const token of ['a', 'b', 'c', 'd', 'e']) trail.step(token, 1)
    expect(() => trail.step('e', 1)).toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'ContinuationLoop' }),
    )
  })

  it('allows ten empty pages in succession that end where they began', () => {
    const trail = new TokenTrail('people', 'a')
    for (let page = 0; page < 10; page++) trail.step('a', 0)
    trail.step('b', 0)
    for (let page = 0; page < 10; page++) trail.step('b', 0)
    expect(() => trail.step('b', 0)).toThrow(/ended with an earlier continuation token/)
    expect(() => new TokenTrail('people', 'a').step('a', 1)).toThrow(/ended with/)
  })

  it('stops any circle, after any way into it, within three rounds', () => {
    const length = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), length, fc.nat(1), (way, round, rows) => {
        const trail = new TokenTrail('people', undefined)
        const tokenOf = (page: number) => String(page < way ? page : way + ((page - way) % round))
        let page = 0
        expect(() => {
          for (; page < 3 * (way + round) + 13; page++) trail.step(tokenOf(page), rows)
        }).toThrow(/continuation token/)
      }),
    )
  })
})
