import {
  createTable,
  deleteEntity,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  queryEntities,
  queryTables,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { resourceOf } from '../../../packages/rest/src/request/resource.ts'
import { contoso, cosmos, emulator, jeff } from '../people.ts'

const entity = "(PartitionKey='Smith',RowKey='Jeff')"

describe('resourceOf', () => {
  it.each([contoso, emulator])('names tables, entities and the account $account', (endpoint) => {
    const named = [
      queryEntities.toRequest({ table: 'people' }, endpoint),
      createTable.toRequest({ table: 'people' }, endpoint),
      deleteTable.toRequest({ table: 'people' }, endpoint),
      getEntity.toRequest(jeff, endpoint),
      insertEntity.toRequest(jeff, endpoint),
      queryTables.toRequest({}, endpoint),
      entityGroupTransaction.toRequest(
        { table: 'people', changes: [{ operation: insertEntity, input: jeff }] },
        endpoint,
      ),
    ].map((request) => resourceOf({ request, endpoint }))
    const account = `account ${endpoint.account}`
    const people = ['table people', 'table people', 'table people']
    expect(named).toEqual([...people, `people${entity}`, `people${entity}`, account, account])
  })

  it.each(['a(b)', 'a()', "o'brien", "Tables('x')", 'my people', '100%'])(
    'names the table %s of Cosmos DB',
    (table) => {
      const named = [
        queryEntities.toRequest({ table }, cosmos),
        createTable.toRequest({ table }, cosmos),
        deleteTable.toRequest({ table }, cosmos),
        insertEntity.toRequest({ ...jeff, table }, cosmos),
      ].map((request) => resourceOf({ request, endpoint: cosmos }))
      const whole = `table ${table}`
      expect(named).toEqual([whole, whole, whole, `${table}${entity}`])
      const request = deleteEntity.toRequest({ ...jeff, table, etag: '*' }, cosmos)
      expect(resourceOf({ request, endpoint: cosmos })).toContain("RowKey='Jeff')")
    },
  )

  it('names an entity whose key has parentheses and quotes', () => {
    const key = { partitionKey: "O'Neil ()", rowKey: "('x')" }
    const request = getEntity.toRequest({ table: 'people', key }, contoso)
    expect(resourceOf({ request, endpoint: contoso })).toBe(
      "people(PartitionKey='O''Neil ()',RowKey='(''x'')')",
    )
  })
})
