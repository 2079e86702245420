import {
  BatchError,
  type Change,
  deleteEntity,
  entityGroupTransaction,
  findEntity,
  getEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  busy,
  fourthExists,
  loneRead,
  loneReadOfNothing,
  noChanges,
  threeChanges,
} from '../../vectors/batch-responses.ts'
import { contoso, emulator, jeff } from '../people.ts'

const change = (operation: Change['operation'], rowKey: string): Change => ({
  operation,
  input: {
    table: 'people',
    key: { partitionKey: 'Smith', rowKey },
    body: `{"PartitionKey":"Smith","RowKey":"${rowKey}"}`,
    etag: '*',
  },
})

const three = [change(insertEntity, 'Jeff'), change(deleteEntity, 'b'), change(mergeEntity, 'c')]
const four = ['a', 'b', 'c', 'd'].map((rowKey) => change(insertEntity, rowKey))

describe('entityGroupTransaction', () => {
  it('R-17, R-54: posts all six kinds of change to $batch', () => {
    const all = [
      insertEntity,
      updateEntity,
      mergeEntity,
      insertOrReplaceEntity,
      insertOrMergeEntity,
      deleteEntity,
    ]
    const changes = all.map((operation, index) => change(operation, String(index)))
    const request = entityGroupTransaction.toRequest({ table: 'people', changes }, emulator)
    expect(request).toMatchObject({
      method: 'POST',
      path: '/devstoreaccount1/$batch',
      headers: { 'content-type': expect.stringMatching(/^multipart\/mixed; boundary=batch_/) },
    })
    const verbs = Array.from(
      request.body?.matchAll(/^(\w+) http\S+ HTTP/gm) ?? [],
      ([, verb]) => verb,
    )
    expect(verbs).toEqual(['POST', 'PUT', 'PATCH', 'PUT', 'PATCH', 'DELETE'])
  })

  it('R-55: returns the results in the order of the changes', () => {
    const input = { table: 'people', changes: three }
    expect(entityGroupTransaction.fromResponse(threeChanges, input)).toEqual([
      { etag: `W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`, status: 204 },
      { status: 204 },
      { etag: `W/"datetime'2017-11-10T02%3A43%3A36.0846584Z'"`, status: 204 },
    ])
  })

  it('R-56: names the change that failed', () => {
    const input = { table: 'people', changes: four }
    expect(() => entityGroupTransaction.fromResponse(fourthExists, input)).toThrow(BatchError)
    expect(() => entityGroupTransaction.fromResponse(fourthExists, input)).toThrow(
      expect.objectContaining({
        index: 3,
        change: { operation: 'insertEntity', key: { partitionKey: 'Smith', rowKey: 'd' } },
        status: 409,
        code: 'EntityAlreadyExists',
        requestId: '7944c5e8-0002-0079-7bcd-59ca30000000',
      }),
    )
  })

  it('R-56: names no change when the service was busy', () => {
    const input = { table: 'people', changes: four }
    expect(() => entityGroupTransaction.fromResponse(busy, input)).toThrow(
      expect.objectContaining({ index: undefined, change: undefined, code: 'ServerBusy' }),
    )
  })

  it.each([
    ['fewer', threeChanges, four],
    ['more', threeChanges, three.slice(1)],
    ['no', noChanges, three],
  ])('rejects %s results than changes', (_, response, changes) => {
    expect(() =>
      entityGroupTransaction.fromResponse(response, { table: 'people', changes }),
    ).toThrow(
      expect.objectContaining({
        code: 'UnexpectedResponse',
        mayHaveApplied: true,
        message: expect.stringContaining('outcome is unknown'),
      }),
    )
  })

  it('R-54: returns the entity of a single read', () => {
    const input = { table: 'people', changes: [change(getEntity, '10%')] }
    expect(entityGroupTransaction.fromResponse(loneRead, input)).toEqual([
      {
        raw: { PartitionKey: 'Smith', RowKey: '10%' },
        etag: `W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
        status: 200,
      },
    ])
  })

  it('R-54: returns nothing for a single read of a missing entity', () => {
    const found = { table: 'people', changes: [change(findEntity as typeof getEntity, '10%')] }
    expect(entityGroupTransaction.fromResponse(loneReadOfNothing, found)).toEqual([undefined])
    const input = { table: 'people', changes: [change(getEntity, '10%')] }
    expect(() => entityGroupTransaction.fromResponse(loneReadOfNothing, input)).toThrow(
      expect.objectContaining({ name: 'BatchError', index: 0, code: 'ResourceNotFound' }),
    )
  })

  it('R-53: rejects what the service would reject', () => {
    const input = { table: 'people', changes: [] }
    expect(() => entityGroupTransaction.toRequest(input, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidBatch' }),
    )
  })

  it('rejects a change that is invalid by itself', () => {
    const changes = [{ operation: updateEntity, input: jeff }]
    expect(() => entityGroupTransaction.toRequest({ table: 'people', changes }, contoso)).toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
  })
})
