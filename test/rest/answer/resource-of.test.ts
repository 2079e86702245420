import {
  createTable,
  deleteTable,
  type Endpoint,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTableAcl,
  insertEntity,
  queryEntities,
  queryTables,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { resourceOf } from '../../../packages/rest/src/answer/resource-of.ts'
import { contoso, emulator, jeff } from '../people.ts'

const key = { partitionKey: 'ä b', rowKey: '%' }

describe.each([
  ['host style', contoso],
  ['path style', emulator],
])('resourceOf, in %s', (_, endpoint: Endpoint) => {
  it.each([
    [createTable.toRequest({ table: 'people' }, endpoint), 'table people'],
    [deleteTable.toRequest({ table: 'people' }, endpoint), 'table people'],
    [queryEntities.toRequest({ table: 'people' }, endpoint), 'table people'],
    [insertEntity.toRequest(jeff, endpoint), 'table people'],
    [
      getEntity.toRequest({ table: 'people', key }, endpoint),
      "people(PartitionKey='ä b',RowKey='%')",
    ],
    [getTableAcl.toRequest({ table: 'people' }, endpoint), 'table people'],
    [queryTables.toRequest({}, endpoint), `account ${endpoint.account}`],
    [getServiceProperties.toRequest({}, endpoint), `account ${endpoint.account}`],
    [getServiceStats.toRequest({}, endpoint), `account ${endpoint.account}`],
  ])('names what %o is about', (request, resource) => {
    expect(resourceOf({ request, endpoint })).toBe(resource)
  })
})
