import {
  type Change,
  deleteEntity,
  type Endpoint,
  getEntity,
  insertEntity,
  mergeEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import {
  batchRequest,
  encodeChangeSet,
} from '../../../packages/rest/src/transaction/encode-change-set.ts'
import { contoso, cosmos, emulator, etag, jeff } from '../people.ts'

const encode = (changes: readonly Change[], endpoint: Endpoint): string =>
  encodeChangeSet(
    changes.map(({ operation, input }) => operation.toRequest(input, endpoint)),
    endpoint,
  )

const key = { partitionKey: "O'Neil", rowKey: '10 %' }
const insert = (body: string, echo = false): Change => ({
  operation: insertEntity,
  input: { table: 'people', key, body, echo },
})

/** An insert whose whole batch is exactly so many bytes, with characters of two bytes. */
function sized(bytes: number, endpoint: Endpoint): Change {
  const around = Buffer.byteLength(encode([insert('')], endpoint))
  const letters = bytes - around
  return insert('ä'.repeat(Math.floor(letters / 2)) + 'a'.repeat(letters % 2))
}

describe('encodeChangeSet', () => {
  it('writes each change as a request of its own, with CRLF', () => {
    const changes: Change[] = [
      insert('{"PartitionKey":"O\'Neil"}'),
      { operation: deleteEntity, input: { table: 'people', key, body: '', etag } },
    ]
    expect(encode(changes, emulator)).toBe(
      [
        '--batch_rowkey',
        'Content-Type: multipart/mixed; boundary=changeset_rowkey',
        '',
        '--changeset_rowkey',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'POST http://127.0.0.1:10002/devstoreaccount1/people HTTP/1.1',
        'Content-Type: application/json',
        'Accept: application/json;odata=minimalmetadata',
        'Prefer: return-no-content',
        'DataServiceVersion: 3.0',
        '',
        '{"PartitionKey":"O\'Neil"}',
        '--changeset_rowkey',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        "DELETE http://127.0.0.1:10002/devstoreaccount1/people(PartitionKey='O''Neil',RowKey='10%20%25') HTTP/1.1",
        'Accept: application/json;odata=minimalmetadata',
        'DataServiceVersion: 3.0',
        `If-Match: ${etag}`,
        '',
        '--changeset_rowkey--',
        '--batch_rowkey--',
        '',
      ].join('\r\n'),
    )
  })

  it('R-48: asks for the entity with echo', () => {
    expect(encode([insert('{}', true)], contoso)).toContain('Prefer: return-content\r\n')
  })

  it('tunnels a merge inside the batch, too', () => {
    const merge = { operation: mergeEntity, input: { table: 'people', key, body: '{}', etag: '*' } }
    const text = encode([merge], cosmos)
    expect(text).toContain('POST https://contoso.table.cosmos.azure.com/people(')
    expect(text).toContain('X-HTTP-Method: MERGE\r\nIf-Match: *\r\n')
  })

  it.each([
    ['4 MiB', contoso, 4 * 1024 * 1024],
    ['2 MiB on Cosmos DB', cosmos, 2 * 1024 * 1024],
  ])('R-53: accepts exactly %s as sent, and not one byte more', (_, endpoint, bytes) => {
    expect(Buffer.byteLength(encode([sized(bytes, endpoint)], endpoint))).toBe(bytes)
    expect(() => encode([sized(bytes + 1, endpoint)], endpoint)).toThrow(
      expect.objectContaining({
        code: 'InvalidBatch',
        message: expect.stringContaining(`${bytes}`),
      }),
    )
  })

  it('R-54: writes a single read without a change set', () => {
    const read = {
      operation: getEntity,
      input: { table: 'people', key, body: '', select: ['age'] },
    }
    expect(encode([read], contoso)).toBe(
      [
        '--batch_rowkey',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        "GET https://contoso.table.core.windows.net/people(PartitionKey='O''Neil',RowKey='10%20%25')?$select=age HTTP/1.1",
        'Accept: application/json;odata=minimalmetadata',
        'DataServiceVersion: 3.0',
        '',
        '',
        '--batch_rowkey--',
        '',
      ].join('\r\n'),
    )
  })

  it('R-54: rejects a read that is not alone, and says which', () => {
    const read = { operation: getEntity, input: { table: 'people', key, body: '' } }
    expect(() => encode([insert('{}'), read], contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidBatch', details: { index: 1 } }),
    )
  })

  it('leaves its rules to the service when configured', () => {
    const read = { operation: getEntity, input: { table: 'people', key, body: '' } }
    const lenient = withChecks(contoso, { changeSets: 'by the service' })
    expect(encode([insert('{}'), read], lenient)).toContain('GET https://')
    const large = withChecks(cosmos, { changeSetSize: 'by the service' })
    expect(() => encode([sized(2 * 1024 * 1024 + 1, large)], large)).not.toThrow()
  })

  it('accepts JSON with a text that looks like a separator', () => {
    const body = JSON.stringify({ note: '\r\n--changeset_rowkey--\r\n' })
    expect(encode([insert(body)], contoso)).toContain(body)
  })

  it('rejects a body that would break out of its part', () => {
    const body = '{}\r\n--changeset_rowkey\r\nDELETE /other HTTP/1.1'
    expect(() => encode([insert('{}'), insert(body)], contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidBatch', details: { index: 1 } }),
    )
  })
})

const read = getEntity.toRequest(jeff, emulator)
const remove = deleteEntity.toRequest({ ...jeff, etag: '*' }, emulator)

describe('batchRequest', () => {
  it('posts the requests to the batch of the account', () => {
    const request = batchRequest([remove], emulator)
    expect(request).toMatchObject({ method: 'POST', path: '/devstoreaccount1/$batch', query: '' })
    expect(request.headers['content-type']).toBe('multipart/mixed; boundary=batch_rowkey')
    expect(request.body).toBe(encodeChangeSet([remove], emulator))
    expect(batchRequest([remove], contoso).path).toBe('/$batch')
  })

  it('only reads when all of its requests are reads', () => {
    expect(batchRequest([read], emulator).readsOnly).toBe(true)
    expect(batchRequest([remove], emulator)).not.toHaveProperty('readsOnly')
  })
})
