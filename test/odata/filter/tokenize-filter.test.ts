import { FilterSyntaxError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { readTokens, tokenizeFilter } from '../../../packages/odata/src/filter/tokenize-filter.ts'

describe('tokenizeFilter', () => {
  it('cuts a text into tokens with their places', () => {
    expect(tokenizeFilter(" (größe eq 'a''b')")).toEqual([
      { kind: 'open', position: 1 },
      { kind: 'word', word: 'größe', position: 2 },
      { kind: 'word', word: 'eq', position: 8 },
      { kind: 'literal', literal: { type: 'String', value: "a'b" }, position: 11 },
      { kind: 'close', position: 17 },
      { kind: 'end', position: 18 },
    ])
  })

  it('begins where it is told, and leaves the places as they are', () => {
    expect(readTokens("'x eq 5", 3)).toEqual([
      { kind: 'word', word: 'eq', position: 3 },
      { kind: 'literal', literal: { type: 'Int32', value: 5 }, position: 6 },
    ])
  })

  it('finds only the end of a blank text', () => {
    expect(tokenizeFilter('  ')).toEqual([{ kind: 'end', position: 2 }])
  })

  it('reads long strings in a time that goes with their length', () => {
    const text = `'${"''".repeat(200_000)}'`
    const [token] = tokenizeFilter(text)
    expect(token?.kind === 'literal' && String(token.literal.value).length).toBe(200_000)
  })

  it('cuts at a comma, which only the call of a function has', () => {
    const kinds = tokenizeFilter("f(a,'b',c)").map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'comma')).toHaveLength(2)
  })

  it.each(['!', 'a = b', 'a;b', '\u00a0', '😀'])('refuses %j', (text) => {
    expect(() => tokenizeFilter(text)).toThrow(FilterSyntaxError)
  })
})
