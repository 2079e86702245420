import { filter, parseFilter, rawFilter } from '@rowkey/odata'
import { bindQuery, dynamicQueryModel, gt, type QueryModel, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { type Customer, customerModel } from '../customer.ts'
import { keyModel } from '../key/key-model.ts'
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

  it('keeps the rows that the service would, for an object or a filter', async () => {
    expect(
      await names(
        smiths()
          .filterLocally({ age: gt(30) })
          .toArray(),
      ),
    ).toEqual(['Bob', 'Dan', 'Eve'])
    const older = parseFilter("not (age gt 30) and PartitionKey eq 'Smith'")!
    expect(await names(smiths().filterLocally(older).toArray())).toEqual(['Ann', 'Cid'])
    const readable = rawFilter("RowKey lt 'C'")
    expect(await names(smiths().filterLocally(readable).toArray())).toEqual(['Ann', 'Bob'])
  })

  it('keeps the rows that pass both of two tests', async () => {
    const query = smiths()
      .filterLocally({ age: gt(30) })
      .filterLocally({ firstName: startsWith('D') })
    expect(await names(query.toArray())).toEqual(['Dan'])
  })

  it('R-34: counts the kept rows for take, and does not limit the pages', async () => {
    const pages = source()
    const query = smiths(pages)
      .filterLocally({ age: gt(30) })
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

  it('rejects a test of a property that is not read', () => {
    expect(() => smiths().select('age').filterLocally({ state: 'open' })).toThrow(
      /uses 'state', which \.select does not read/,
    )
    expect(() => smiths().select('age').filterLocally({ age: 30, lastName: 'Smith' })).not.toThrow()
    expect(() => smiths().filterLocally({ age: 30 }).select('age')).toThrow(/Call \.select first/)
  })

  it('tests rows by keys that consist of parts', async () => {
    const rows = [3, 4, 5].map((no) => ({ state: 'WA', city: 'Kent', no, age: 30, line: 1 }))
    const query = bindQuery<(typeof rows)[number]>(keyModel, new ArraySource(rows))
      .where({ state: 'WA' })
      .filterLocally(filter`PartitionKey eq ${'WA;Kent'} and RowKey gt ${'o_0004'}`)
    expect((await query.toArray()).map(({ no }) => no)).toEqual([4, 5])
    expect(() => query.select('no').filterLocally(filter`RowKey gt ${'o_0004'}`)).toThrow(
      /Call \.select first/,
    )
    const part = bindQuery<(typeof rows)[number]>(
      { ...keyModel, properties: ['state', 'city', 'no', 'age', 'line', 'name'] },
      new ArraySource(rows),
    ).select('no')
    expect(() => part.filterLocally(filter`RowKey gt ${'o_0004'}`)).toThrow(
      /uses 'line', which \.select does not read/,
    )
    expect(() => part.filterLocally(filter`PartitionKey eq ${'WA;Kent'}`)).not.toThrow()
  })

  it('rejects a stored name that rows do not have, since all rows would fail', () => {
    for (const condition of [filter`Timestamp gt ${new Date(0)}`, filter`nickname eq ${'J'}`]) {
      expect(() => smiths().filterLocally(condition)).toThrow(
        /uses '(Timestamp|nickname)', which no property of Customer is stored as/,
      )
    }
  })

  it('rejects stored names after a resolver, and tests its results by a function', async () => {
    const people = bindQuery(dynamicQueryModel('people'), new TableSource(rowsAt('a/1', 'a/2')))
    const resolved = people.where({ partitionKey: 'a' }).resolve((_, rowKey) => rowKey)
    expect(() => resolved.filterLocally({ rowKey: '2' })).toThrow(/comes after \.resolve/)
    expect(await resolved.filterLocally((rowKey) => rowKey > '1').toArray()).toEqual(['2'])
  })

  it('accepts properties that the keys hold, since keys are always read', () => {
    const inKey = { ...customerModel.column('state')!, inKey: true }
    const model: QueryModel = {
      ...customerModel,
      column: (name) => (name === 'state' ? inKey : customerModel.column(name)),
    }
    const query = bindQuery<Partial<Customer>>(model, source()).select('age')
    expect(() => query.filterLocally({ state: 'open' })).not.toThrow()
  })

  it.each([null, undefined, 5, 'age gt 30', {}, rawFilter('age add 1 gt 30')])(
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
