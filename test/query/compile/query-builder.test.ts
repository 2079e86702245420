import { parseFilter } from '@rowkey/odata'
import { gt, type Query, type QueryBuilder, queryOf, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery, invalidValue } from '../../support/rejections.ts'
import { type Customer, customerModel } from '../customer.ts'

const query = queryOf<Customer>(customerModel)

describe('queryOf', () => {
  it('makes a query that compiles for any client', () => {
    expect(
      query
        .where((c) => c.lastName.eq('Smith').and(c.points.gt(100n).or(c.active)))
        .select('customerEmailAddress')
        .pageSize(100)
        .compile(),
    ).toEqual({
      filter: "PartitionKey eq 'Smith' and (points gt 100L or active)",
      select: ['PartitionKey', 'RowKey', 'Timestamp', 'cea'],
      top: 100,
    })
  })

  it('R-92: joins the conditions of two calls of where', () => {
    const text = "PartitionKey eq 'Smith' and points gt 100L"
    expect(
      query
        .where({ lastName: 'Smith' })
        .where({ points: gt(100n) })
        .compile().filter,
    ).toBe(text)
    expect(query.where({ lastName: 'Smith', points: gt(100n) }).compile().filter).toBe(text)
    expect(query.where(parseFilter(text)!).compile().filter).toBe(text)
  })

  it('puts parentheses around an or when another condition follows', () => {
    const filter = query
      .where((c) => c.age.lt(18).or(c.age.gt(65)))
      .where({ lastName: startsWith('S') })
      .compile().filter
    expect(filter).toBe(
      "(age lt 18 and age ge -2147483648 or age gt 65) and PartitionKey ge 'S' and PartitionKey lt 'T'",
    )
  })

  it('leaves earlier queries as they are', () => {
    const smiths = query.where({ lastName: 'Smith' })
    smiths.where({ age: 30 }).select('age').take(1).pageSize(1).allowTableScan()
    expect(smiths.compile()).toEqual({ filter: "PartitionKey eq 'Smith'" })
    expect(query.compile()).toEqual({})
  })

  it('uses the last select, take and pageSize', () => {
    const last = query.select('age').select('points').take(9).take(8).pageSize(7).pageSize(6)
    expect(last.compile()).toEqual({
      select: ['PartitionKey', 'RowKey', 'Timestamp', 'points'],
      top: 6,
    })
  })

  it('allows scans, and never withdraws an opt-in', () => {
    const plan = (of: typeof query) => of.explain().warnings
    expect(plan(query)).toEqual([expect.stringMatching(/rejected.*allowTableScan/)])
    expect(plan(query.allowPartitionScan())).toEqual([expect.stringMatching(/allowTableScan/)])
    expect(plan(query.allowTableScan())).toBeUndefined()
    expect(plan(query.allowTableScan().allowPartitionScan())).toBeUndefined()
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null, undefined, 5n])(
    'rejects a limit of %s',
    (limit) => {
      expect(() => query.take(limit as never)).toThrow(invalidQuery)
      expect(() => query.take(limit as never)).toThrow(
        /^The limit of \.take on Customer must be a whole number from 1 to \d+; got .+\.$/,
      )
    },
  )

  it.each([0, 1001, -1, 1.5, Number.NaN, '5', null])('rejects a page size of %s', (size) => {
    expect(() => query.pageSize(size as never)).toThrow(invalidQuery)
    expect(() => query.pageSize(size as never)).toThrow(/from 1 to 1000/)
  })

  it('rejects mistakes where they are made, before anything is compiled', () => {
    expect(() => query.where({ unknown: 1 } as never)).toThrow(invalidQuery)
    expect(() => query.where({ age: 'thirty' } as never)).toThrow(invalidValue)
    expect(() => query.select('selected')).toThrow(invalidQuery)
    expect(() => query.select(...([] as unknown as ['age']))).toThrow(invalidQuery)
  })

  it('makes a query that cannot run', async () => {
    const run = (query as QueryBuilder<unknown> & Query<Customer>).allowTableScan().toArray()
    await expect(run).rejects.toThrow(invalidQuery)
    await expect(run).rejects.toThrow(/bindQuery/)
  })
})
