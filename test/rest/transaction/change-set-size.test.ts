import {
  changeBytes,
  changeSetLimits,
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, etag } from '../people.ts'

const key = { partitionKey: "O'Neil", rowKey: '10 %' }
const changes = [
  { operation: insertEntity, input: { table: 'people', key, body: '{"PartitionKey":"Zoë"}' } },
  {
    operation: deleteEntity,
    input: { table: 'people', key: { ...key, rowKey: 'ö' }, body: '', etag },
  },
]

describe('the size of a change set', () => {
  it.each([
    ['Table storage', contoso, 4 * 1024 * 1024],
    ['Cosmos DB', cosmos, 2 * 1024 * 1024],
  ])('is the sum of its changes and its envelope, for %s', (_, endpoint, most) => {
    const { body = '' } = entityGroupTransaction.toRequest({ table: 'people', changes }, endpoint)
    const limits = changeSetLimits(endpoint)
    const bytes = changes.reduce((sum, change) => sum + changeBytes(change, endpoint), 0)
    expect(limits.envelope + bytes).toBe(Buffer.byteLength(body))
    expect(limits.bytes + limits.envelope).toBe(most)
    expect(limits.changes).toBe(100)
  })

  it('is not counted of a change that cannot be sent', () => {
    const bad = {
      operation: insertEntity,
      input: { table: 'people', key: { partitionKey: 'a/b', rowKey: '' }, body: '{}' },
    }
    expect(() => changeBytes(bad, contoso)).toThrow(/PartitionKey/)
  })
})
