import { bindQuery, dynamicQueryModel, Query } from '@rowkey/query'
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
