import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryText } from '../../../packages/rest/src/paging/query-text.ts'

describe('queryText', () => {
  it('is empty without options', () => {
    expect(queryText({}, 'storage')).toBe('')
    expect(queryText({ filter: '', select: [], continuation: {} }, 'storage')).toBe('')
  })

  it('R-22: encodes every query value', () => {
    const value = `/?:@&=+,$' %#"é`
    const encoded = '%2F%3F%3A%40%26%3D%2B%2C%24%27%20%25%23%22%C3%A9'
    const continuation = { nextPartitionKey: value, nextRowKey: value, nextTableName: value }
    expect(queryText({ filter: value, continuation }, 'storage')).toBe(
      `$filter=${encoded}&NextPartitionKey=${encoded}&NextRowKey=${encoded}&NextTableName=${encoded}`,
    )
  })

  it('R-22: reads back after one decoding', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, text, (filter, nextPartitionKey) => {
        const query = queryText({ filter, continuation: { nextPartitionKey } }, 'storage')
        expect(query).toMatch(/^[\x21-\x7e]+$/)
        expect(query).not.toContain('+')
        const read = new URLSearchParams(query)
        expect(read.get('$filter')).toBe(filter)
        expect(read.get('NextPartitionKey')).toBe(nextPartitionKey)
      }),
    )
  })

  it.each([1, 1000])('accepts a page of %i', (top) => {
    expect(queryText({ top }, 'storage')).toBe(`$top=${top}`)
  })

  it.each([0, -1, 1001, 1.5, Number.NaN, '5', null])('rejects a page of %j', (top) => {
    expect(() => queryText({ top: top as number }, 'storage')).toThrow(
      expect.objectContaining({
        code: 'InvalidQueryOption',
        message: expect.stringMatching(
          /^\$top, the page size, must be a whole number from 1 to 1000; got (?:-?[\d.]+|NaN|a text|null)\.$/,
        ),
      }),
    )
  })

  it('accepts a larger page on Cosmos DB', () => {
    expect(queryText({ top: 5000 }, 'cosmos')).toBe('$top=5000')
  })

  it.each([[['a,b']], [['']], [[7]], [[null]], [null], [7], ['age'], [{}]])(
    'rejects the projection %j',
    (select) => {
      expect(() => queryText({ select: select as string[] }, 'storage')).toThrow(
        expect.objectContaining({ code: 'InvalidQueryOption' }),
      )
    },
  )

  it('rejects a projection of more properties than an entity can have', () => {
    const select = Array.from({ length: 256 }, (_, index) => `p${index}`)
    expect(() => queryText({ select }, 'storage')).toThrow(/up to 255 names/)
    expect(() => queryText({ select: select.slice(1) }, 'storage')).not.toThrow()
  })

  it('rejects a lone surrogate, which no URL can contain', () => {
    expect(() => queryText({ filter: "a eq '\ud800'" }, 'storage')).toThrow(
      expect.objectContaining({ code: 'InvalidQueryOption' }),
    )
  })
})
