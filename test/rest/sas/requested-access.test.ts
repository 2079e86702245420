import {
  createTable,
  deleteEntity,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTable,
  getTableAcl,
  type HttpRequest,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  queryEntities,
  queryTables,
  setServiceProperties,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readParts, requestedAccess } from '../../../packages/rest/src/sas/requested-access.ts'
import { contoso, cosmos, emulator, etag, jeff } from '../people.ts'

const named = { ...jeff, etag }
const table = { table: 'people' }

describe('requestedAccess', () => {
  it.each<[string, HttpRequest, string]>([
    ['getEntity', getEntity.toRequest(jeff, contoso), 'o r'],
    ['getEntity of an emulator', getEntity.toRequest(jeff, emulator), 'o r'],
    ['queryEntities', queryEntities.toRequest(table, contoso), 'o r'],
    ['insertEntity', insertEntity.toRequest(jeff, contoso), 'o a'],
    ['updateEntity', updateEntity.toRequest(named, contoso), 'o u'],
    ['mergeEntity', mergeEntity.toRequest(named, contoso), 'o u'],
    ['mergeEntity of Cosmos DB', mergeEntity.toRequest(named, cosmos), 'o u'],
    ['insertOrMergeEntity', insertOrMergeEntity.toRequest(jeff, contoso), 'o au'],
    ['insertOrMergeEntity of Cosmos DB', insertOrMergeEntity.toRequest(jeff, cosmos), 'o au'],
    ['insertOrReplaceEntity', insertOrReplaceEntity.toRequest(jeff, contoso), 'o au'],
    ['deleteEntity', deleteEntity.toRequest(named, contoso), 'o d'],
    ['queryTables', queryTables.toRequest({}, contoso), 'c l'],
    ['getTable', getTable.toRequest(table, contoso), 'c'],
    ['createTable', createTable.toRequest(table, contoso), 'c c w'],
    ['deleteTable', deleteTable.toRequest(table, contoso), 'c d'],
    ['getServiceProperties', getServiceProperties.toRequest({}, contoso), 's r'],
    ['setServiceProperties', setServiceProperties.toRequest({ cors: [] }, contoso), 's w'],
    ['getServiceStats', getServiceStats.toRequest({}, contoso), 's r'],
  ])('R-81: knows what %s needs', (_, request, expected) => {
    const [access] = requestedAccess(request)
    expect([access?.resourceType, ...(access?.needs ?? [])].join(' ')).toBe(expected)
    if (access?.resourceType === 'o') expect(access.table).toBe('people')
  })

  it('R-82: recognizes the stored access policies of a table', () => {
    expect(requestedAccess(getTableAcl.toRequest(table, contoso))).toMatchObject([{ isAcl: true }])
  })

  it.each([
    { partitionKey: '', rowKey: '' },
    { partitionKey: "O'Brien',RowKey='", rowKey: "''" },
    { partitionKey: 'a%20b+c', rowKey: '日本語 (1)' },
  ])('R-81: reads the key %j from the path and from the body', (key) => {
    const keyOf = (request: HttpRequest) => requestedAccess(request)[0]?.key?.()
    expect(keyOf(getEntity.toRequest({ table: 'people', key }, emulator))).toEqual(key)
    const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
    expect(keyOf(insertEntity.toRequest({ table: 'people', key, body }, emulator))).toEqual(key)
  })

  it('finds no key in a query or an invalid body', () => {
    const keyOf = (request: HttpRequest) => requestedAccess(request)[0]?.key?.()
    expect(keyOf(queryEntities.toRequest(table, contoso))).toBeUndefined()
    for (const body of ['{"PartitionKey":1}', 'not JSON', undefined]) {
      const request = insertEntity.toRequest(jeff, contoso)
      expect(keyOf({ ...request, body })).toBeUndefined()
    }
  })

  it.each(['/', '/%E0%A4%A', '/a/b-c', '/people(x)'])('leaves %s to the service', (path) => {
    const request = getEntity.toRequest(jeff, contoso)
    expect(requestedAccess({ ...request, path })).toEqual([])
  })
})

describe('readParts', () => {
  it('reads back the requests of a change set', () => {
    const ben = { ...jeff, key: { partitionKey: 'Smith', rowKey: 'Ben' } }
    const changes = [
      { operation: updateEntity, input: { ...jeff, etag } },
      { operation: insertOrMergeEntity, input: ben },
    ]
    const { body } = entityGroupTransaction.toRequest({ table: 'people', changes }, emulator)
    const parts = readParts(body ?? '')
    expect(parts.map(({ path, query, body }) => [path, query, body])).toEqual(
      ['Jeff', 'Ben'].map((name) => [
        `/devstoreaccount1/people(PartitionKey='Smith',RowKey='${name}')`,
        '',
        jeff.body,
      ]),
    )
    expect(parts[0]).toMatchObject({ method: 'PUT', headers: { 'if-match': etag } })
    expect(parts[1]?.headers).not.toHaveProperty('if-match')
  })

  it.each(['', 'garbage', '--a\r\n\r\n--b--'])('finds no request in %j', (body) => {
    expect(readParts(body)).toEqual([])
  })
})
