import {
  changeBytes,
  changeSetLimits,
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  perform,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { exactService } from '../exact/exact-service.ts'
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

  it('leaves room for the marker of an exact write', async () => {
    const service = await exactService()
    const { endpoint } = service.client()
    const limits = changeSetLimits(endpoint, true)
    expect(limits.changes).toBe(99)
    expect(limits.bytes + limits.envelope).toBe(4 * 1024 * 1024)
    // Every character takes three bytes.
    const key = { partitionKey: '中'.repeat(512), rowKey: 'Jeff' }
    const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
    const insert = { operation: insertEntity, input: { table: 'people', key, body } }
    await perform(service.client(), insertEntity, insert.input)
    const sent = Buffer.byteLength(service.requests.at(-1)?.body ?? '')
    expect(sent).toBeGreaterThan(512 * 3 * 2)
    expect(sent).toBeLessThanOrEqual(limits.envelope + changeBytes(insert, endpoint))
  })

  it('is not counted of a change that cannot be sent', () => {
    const bad = {
      operation: insertEntity,
      input: { table: 'people', key: { partitionKey: 'a/b', rowKey: '' }, body: '{}' },
    }
    expect(() => changeBytes(bad, contoso)).toThrow(/PartitionKey/)
  })
})
