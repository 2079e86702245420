import { dynamicQueryModel, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

const query = queryOf(dynamicQueryModel('people'))

describe('compileQuery', () => {
  it('leaves out what says nothing', () => {
    expect(query.compile()).toStrictEqual({})
    expect(query.where({ age: 30 }).compile()).toStrictEqual({ filter: 'age eq 30' })
  })

  it.each([
    [query.take(5), 5],
    [query.take(999), 999],
    [query.take(1000), undefined],
    [query.take(5000), undefined],
    [query.pageSize(1000), 1000],
    [query.pageSize(10).take(5), 5],
    [query.pageSize(10).take(50), 10],
  ])('asks for no more in a page than the limit and the page size allow: %#', (limited, top) => {
    expect(limited.compile().top).toBe(top)
  })

  it('gives a new list of names every time', () => {
    const projected = query.select('age')
    projected.compile().select?.push('more')
    expect(projected.compile().select).toEqual(['PartitionKey', 'RowKey', 'Timestamp', 'age'])
  })
})
