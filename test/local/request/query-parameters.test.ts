import { describe, expect, it } from 'vitest'
import { parseQueryParameters } from '../../../packages/local/src/request/query-parameters.ts'

describe('parseQueryParameters', () => {
  it('reads a plus as a blank, and percent-encoded names and values', () => {
    expect([...parseQueryParameters('%24filter=a+eq+%27b%2Bc%26%27&$top=5&flag&=x&')]).toEqual([
      ['$filter', "a eq 'b+c&'"],
      ['$top', '5'],
      ['flag', ''],
      ['', 'x'],
    ])
  })

  it('is empty for an empty query', () => {
    expect(parseQueryParameters('').size).toBe(0)
  })

  it.each(['%', 'a=%zz', '%ff=1', '$top=1&%24top=2'])('rejects %s', (query) => {
    expect(() => parseQueryParameters(query)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidQueryParameterValue' }),
    )
  })
})
