import {
  type AnyQuerySource,
  bindQuery,
  dynamicQueryModel,
  Query,
  type QueryNode,
  queryNode,
} from '@rowkey/query'
import { expect, it } from 'vitest'
import { ArraySource } from './array-source.ts'
import { Customer, customerModel } from './customer.ts'
import { rowsAt, TableSource } from './table-source.ts'

it('binds a declared model to a source of rows', async () => {
  const query = bindQuery(customerModel, new ArraySource([new Customer()]))
  expect(query).toBeInstanceOf(Query)
  expect(await query.where({ lastName: 'Smith' }).count()).toBe(1)
})

it('binds a model of any properties to a source of raw rows', async () => {
  const query = bindQuery(dynamicQueryModel('people'), new TableSource(rowsAt('a/1', 'b/1')))
  expect((await query.where({ partitionKey: 'b' }).first()).partitionKey).toBe('b')
})

/** A query that can say how many rows it has. */
class CountedQuery extends Query<Customer> {
  async text(): Promise<string> {
    return `${await this.count()} rows`
  }

  protected override remade(node: QueryNode, source: AnyQuerySource<Customer>): CountedQuery {
    return new CountedQuery(node, source)
  }
}

it('makes queries of a class that extends Query, which runs and stays of that class', async () => {
  const source = new ArraySource([new Customer()])
  const make = (...parts: ConstructorParameters<typeof CountedQuery>) => new CountedQuery(...parts)
  const query = make(queryNode(customerModel), source)
  const smiths = query.where({ lastName: 'Smith' })
  expect(await smiths.text()).toBe('1 rows')
  expect(await smiths.select('age').toArray()).toHaveLength(1)
})
