import { rawFilter } from '@rowkey/odata'
import { bindQuery, dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { type Customer, customerModel } from '../customer.ts'
import { rowsAt, TableSource } from '../table-source.ts'

const person = (firstName: string, age?: number): Partial<Customer> =>
  age === undefined ? { lastName: 'Smith', firstName } : { lastName: 'Smith', firstName, age }

const source = () =>
  new ArraySource<Partial<Customer>>(
    [person('Ann', 20), person('Bob', 40)],
    [person('Cid'), person('Dan', 50), person('Eve', 60)],
  )
const smiths = (from = source()) =>
  bindQuery<Partial<Customer>>(customerModel, from).where({ lastName: 'Smith' })
const names = async (rows: Promise<readonly Partial<Customer>[]>) =>
  (await rows).map(({ firstName }) => firstName)

describe('filterLocally', () => {
  it('keeps the rows for which a function returns true', async () => {
    const query = smiths().filterLocally((c) => c.firstName?.includes('a') ?? false)
    expect(await names(query.toArray())).toEqual(['Dan'])
  })

  it('keeps the rows that pass both of two tests', async () => {
    const query = smiths()
      .filterLocally(({ age = 0 }) => age > 30)
      .filterLocally(({ firstName }) => firstName?.startsWith('D') ?? false)
    expect(await names(query.toArray())).toEqual(['Dan'])
  })

  it('R-34: counts the kept rows for take, and does not limit the pages', async () => {
    const pages = source()
    const query = smiths(pages)
      .filterLocally(({ age = 0 }) => age > 30)
      .take(2)
    expect(await names(query.toArray())).toEqual(['Bob', 'Dan'])
    expect(pages.calls.map((call) => call.query)).toEqual([
      { filter: "PartitionKey eq 'Smith'" },
      { filter: "PartitionKey eq 'Smith'" },
    ])
    expect(query.explain()).toMatchObject({
      warnings: [expect.stringMatching(/\.filterLocally drops rows after they were read/)],
    })
  })

  it('is called after select, whose rows it tests', () => {
    expect(() =>
      smiths()
        .filterLocally(() => true)
        .select('age'),
    ).toThrow(/Call \.select first/)
  })

  it('tests the results of a resolver before it', async () => {
    const people = bindQuery(dynamicQueryModel('people'), new TableSource(rowsAt('a/1', 'a/2')))
    const resolved = people.where({ partitionKey: 'a' }).resolve((_, rowKey) => rowKey)
    expect(await resolved.filterLocally((rowKey) => rowKey > '1').toArray()).toEqual(['2'])
  })

  it.each([null, undefined, 5, 'age gt 30', { age: 30 }, rawFilter('age gt 30')])(
    'rejects %o before anything is sent',
    (given) => {
      expect(() => smiths().filterLocally(given as never)).toThrow(invalidQuery)
    },
  )

  it('rejects a function that returns a promise, which would keep every row', async () => {
    const query = smiths().filterLocally((async () => false) as never)
    await expect(query.toArray()).rejects.toThrow(/must return true or false.*async/)
  })
})
