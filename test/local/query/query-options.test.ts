import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkQueryOptions,
  pageLength,
  parseTokenPart,
  printTokenPart,
  selectedNames,
} from '../../../packages/local/src/query/query-options.ts'

const invalid = expect.objectContaining({ status: 400, code: 'InvalidInput' })

describe('checkQueryOptions', () => {
  it('accepts the options of the service, and names without a dollar sign', () => {
    const names = ['$filter', '$format', '$select', '$top', 'timeout', 'NextRowKey', 'anything']
    expect(() => checkQueryOptions(new Map(names.map((name) => [name, ''])))).not.toThrow()
  })

  it('rejects all others', () => {
    expect(() => checkQueryOptions(new Map([['$Top', '1']]))).toThrow(invalid)
    expect(() => checkQueryOptions(new Map([['$orderby', 'a']]))).toThrow(
      expect.objectContaining({ status: 501 }),
    )
  })
})

describe('pageLength', () => {
  it('R-32: reads a $top from 0 to 1,000, and uses 1,000 without one', () => {
    expect(pageLength(new Map())).toBe(1000)
    expect(pageLength(new Map([['$top', '7']]))).toBe(7)
    expect(pageLength(new Map([['$top', '0']]))).toBe(0)
    for (const top of ['', '1001', '99999', '1.5', '-1', '1e2', ' 1']) {
      expect(() => pageLength(new Map([['$top', top]]))).toThrow(invalid)
    }
  })
})

describe('selectedNames', () => {
  it('returns the names, each once', () => {
    expect(selectedNames('b, a,b')).toEqual(new Set(['a', 'b']))
  })

  it.each([undefined, '', ' ', '*', 'a,*'])(
    'returns undefined for %j, which selects everything',
    (select) => {
      expect(selectedNames(select)).toBeUndefined()
    },
  )

  it('returns properties only: the metadata level decides about control information', () => {
    expect(selectedNames('odata.etag,a,a@odata.type')).toEqual(new Set(['a']))
    expect(selectedNames('odata.etag')).toEqual(new Set())
  })

  it('accepts at most 255 names, none of them empty', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join()
    expect(selectedNames(names(255))?.size).toBe(255)
    expect(() => selectedNames(names(256))).toThrow(invalid)
    expect(() => selectedNames('a,')).toThrow(invalid)
  })
})

describe('a part of a continuation token', () => {
  it('R-32: has the recorded form of the service', () => {
    expect(printTokenPart('pk801016e8')).toBe('1!16!cGs4MDEwMTZlOA--')
    expect(printTokenPart('partition1-ô- -\'-"-%20-%27-pk')).toBe(
      '1!40!cGFydGl0aW9uMS3DtC0gLSctIi0lMjAtJTI3LXBr',
    )
    expect(printTokenPart('')).toBe('1!0!')
  })

  it('R-32: preserves the text, and fits into a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const part = printTokenPart(text)
        expect(part).toMatch(/^[!-~]+$/)
        expect(parseTokenPart(part)).toBe(text)
      }),
    )
  })

  it.each([
    '',
    'x',
    '1!',
    '1!4!',
    '1!3!Yg--',
    '2!4!Yg--',
    '1!4!Yg==',
    '1!4!!!!!',
    '1!4!/w--',
    '1!4!Yh--',
  ])('rejects %j', (part) => {
    expect(() => parseTokenPart(part)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})
