import { describe, expect, it } from 'vitest'
import { parseMediaRanges } from '../../../packages/local/src/request/content-negotiation.ts'

const shown = (text: string) =>
  parseMediaRanges(text).map(({ type, parameters, quality }) => [type, [...parameters], quality])

describe('parseMediaRanges', () => {
  it('reads types, parameters and qualities in order', () => {
    expect(shown('Text/HTML , application/json; OData = Full;q=0.25,*/*;q=0')).toEqual([
      ['text/html', [], 1],
      ['application/json', [['odata', 'full']], 0.25],
      ['*/*', [], 0],
    ])
  })

  it('keeps quoted text, with commas, semicolons and escaped quotes', () => {
    expect(shown('a/b;x="1,2;3";y="\\"q\\\\", c/d')).toEqual([
      [
        'a/b',
        [
          ['x', '1,2;3'],
          ['y', '"q\\'],
        ],
        1,
      ],
      ['c/d', [], 1],
    ])
  })

  it.each(['2', '-1', 'x', '', '0.5.5', '1e-9'])('ignores the invalid quality q=%s', (quality) => {
    expect(shown(`a/b;q=${quality}`)).toEqual([['a/b', [], 1]])
  })

  it.each(['', ' ', ',', ' , ,'])('finds nothing in %j', (text) => {
    expect(shown(text)).toEqual([])
  })

  it('ends for any text, including unclosed quotes', () => {
    expect(shown('a/b;x="1, c/d')).toEqual([['a/b', [['x', '1, c/d']], 1]])
    expect(shown(';=;"\\')).toHaveLength(1)
  })
})
