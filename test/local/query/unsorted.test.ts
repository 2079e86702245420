import { describe, expect, it } from 'vitest'
import { unsortedRows, unsortedTables } from '../../../packages/local/src/query/unsorted.ts'

const { placeOf } = unsortedRows
const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((rowKey) => ({
  partitionKey: 'p',
  rowKey,
}))

describe('the order of rows on Cosmos DB', () => {
  it('R-177: is the same each time, and not that of the keys', () => {
    const order = () => [...keys].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    expect(order()).toEqual(order())
    expect(order()).not.toEqual(keys)
    expect(new Set(keys.map(placeOf)).size).toBe(keys.length)
  })
})

describe('the continuation tokens of Cosmos DB', () => {
  it('R-177: have the recorded forms', () => {
    expect(unsortedRows.printToken('abc')).toEqual([
      '{"token":"YWJj","range":{"min":"","max":"FF"}}',
      'NA',
    ])
    expect(unsortedTables.printToken('abc', 2)).toBe('+RID:~YWJj#RT:1#TRC:2')
  })

  it.each(['a', 'ab', 'é\u0000€', '{"'])('tell the place %j', (place) => {
    expect(unsortedRows.parseToken(unsortedRows.printToken(place)[0])).toBe(place)
    expect(unsortedTables.parseToken(unsortedTables.printToken(place, 1))).toBe(place)
  })

  it.each([
    '',
    'x',
    '1!4!cGsx',
    '{"token":"!","range":{"min":"","max":"FF"}}',
    '+RID:~/w==#RT:1#TRC:2',
  ])('are rejected otherwise: %j', (token) => {
    expect(() => unsortedRows.parseToken(token)).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    )
    expect(() => unsortedTables.parseToken(token)).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    )
  })
})
