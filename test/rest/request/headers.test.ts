import {
  deleteEntity,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  mergeEntity,
  queryEntities,
  queryTables,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, jeff } from '../people.ts'

const write = { ...jeff, etag: '*' }
const batch = { table: 'people', changes: [{ operation: insertEntity, input: jeff }] }

describe('table headers', () => {
  it.each([
    ['getEntity', getEntity.toRequest(jeff, contoso)],
    ['queryEntities', queryEntities.toRequest(jeff, contoso)],
    ['queryTables', queryTables.toRequest({}, contoso)],
    ['insertEntity', insertEntity.toRequest(write, contoso)],
    ['mergeEntity', mergeEntity.toRequest(write, contoso)],
    ['deleteEntity', deleteEntity.toRequest(write, contoso)],
    ['entityGroupTransaction', entityGroupTransaction.toRequest(batch, contoso)],
  ])('R-19, R-20: %s use JSON of a fixed version', (_, { headers, body }) => {
    expect(headers).toMatchObject({
      accept: 'application/json;odata=minimalmetadata',
      dataserviceversion: '3.0',
      maxdataserviceversion: '3.0',
      'x-ms-version': '2019-02-02',
    })
    expect('content-type' in headers).toBe(body !== undefined)
  })

  it('has lower-case names only', () => {
    const { headers } = mergeEntity.toRequest(write, contoso)
    for (const name of Object.keys(headers)) expect(name).toBe(name.toLowerCase())
  })
})
