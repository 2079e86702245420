import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { chooseChange } from '../../../packages/local/src/operations/change-entity.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import type { StoredTable } from '../../../packages/local/src/store/table-store.ts'
import {
  applyChanges,
  checkChangeCount,
  decodeChanges,
  writtenResponse,
} from '../../../packages/local/src/transaction/apply-change-set.ts'
import { place } from '../../support/local-place.ts'
import { storedRow } from '../../support/stored-row.ts'

const replace = (rowKey: string, partitionKey = 'p', headers = {}) =>
  readRequest(place, {
    method: 'PUT',
    resourcePath: `/people(PartitionKey='${partitionKey}',RowKey='${rowKey}')`,
    query: '',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  })
const message = (text: string | RegExp, index?: number) =>
  expect.objectContaining({ message: expect.stringMatching(text), index })

describe('checkChangeCount', () => {
  it('R-53: accepts 100', () => {
    expect(() => checkChangeCount(100)).not.toThrow()
    expect(() => checkChangeCount(101)).toThrow(message(/^99:/))
  })
})

describe('decodeChanges', () => {
  const decode = (...calls: Parameters<typeof decodeChanges>[0]) =>
    decodeChanges(calls, chooseChange)

  it('decodes changes to one partition', () => {
    expect(decode(replace('a'), replace('b')).map((change) => change.key.rowKey)).toEqual([
      'a',
      'b',
    ])
  })

  it('R-56: names the rejected change', () => {
    expect(() => decode(replace('a'), replace('b', 'q'))).toThrow(message(/^1:All commands/))
    expect(() => decode(replace('a'), replace('a'))).toThrow(message(/^1:The batch request/))
    const read = { ...replace('a'), method: 'GET', operation: 'getEntity' } as const
    expect(() => decode(read)).toThrow(message(/^0:A change set/, 0))
    expect(() => decode(replace('a'), { ...replace('b'), body: '[]' })).toThrow(message(/^1:/, 1))
  })
})

describe('applyChanges', () => {
  it('R-53: changes all rows or none', async () => {
    const service = createService({})
    await service.store.createTable('contoso', 'people')
    const table = (await service.store.findTable('contoso', 'people')) as StoredTable
    const apply = (...calls: Parameters<typeof decodeChanges>[0]) =>
      applyChanges(service, table, decodeChanges(calls, chooseChange))
    const missing = replace('b', 'p', { 'if-match': '*' })
    await expect(apply(replace('a'), missing)).rejects.toEqual(message(/^1:The specified/, 1))
    await expect(apply(missing)).rejects.toEqual(message(/^The specified/, 0))
    expect(await table.get({ partitionKey: 'p', rowKey: 'a' })).toBeUndefined()
    expect(await apply(replace('a'), replace('b'))).toHaveLength(2)
    expect(await table.get({ partitionKey: 'p', rowKey: 'a' })).toBeDefined()
  })
})

describe('writtenResponse', () => {
  it('R-47: contains the new ETag, or none after a delete', () => {
    const row = storedRow({ partitionKey: '', rowKey: '' }, new DateTimeValue(0), new Map())
    expect(writtenResponse(row).headers).toEqual({ etag: row.etag })
    expect(writtenResponse(undefined).headers).toEqual({})
  })
})
