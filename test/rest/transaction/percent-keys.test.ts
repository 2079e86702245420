import { localTableService } from '@rowkey/local'
import {
  createTable,
  deleteEntity,
  deleteEntityIfExists,
  entityGroupTransaction,
  findEntity,
  getEntity,
  insertEntity,
  mergeEntity,
  perform,
  tableService,
} from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { inBatchForPercent } from '../../../packages/rest/src/transaction/percent-keys.ts'
import {
  fourthExists,
  loneRead,
  loneReadOfNothing,
  noChanges,
  threeChanges,
} from '../../vectors/batch-responses.ts'
import { contoso, emulator, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const percent = { ...jeff, key: { partitionKey: 'Smith', rowKey: '10%' }, etag: '*' }

const onContoso = { endpoint: contoso, now: Date.now }
const onEmulator = { endpoint: emulator, now: Date.now }

describe('inBatchForPercent', () => {
  it('R-59, R-175: sends a read of a key with a percent sign in a batch of its own', () => {
    const request = inBatchForPercent(getEntity, onEmulator).toRequest(percent, emulator)
    expect(request).toMatchObject({ method: 'POST', path: '/devstoreaccount1/$batch', query: '' })
    expect(request.body).toContain('GET http://127.0.0.1:10002/devstoreaccount1/people(')
    expect(request.body).toContain("RowKey='10%25'")
  })

  it('R-59, R-175: sends a write of a key with a percent sign in a batch of its own', () => {
    const { body } = inBatchForPercent(mergeEntity, onContoso).toRequest(percent, contoso)
    expect(body).toContain('changeset_rowkey')
    expect(body).toContain("RowKey='10%25'")
  })

  it('R-59: sends other keys as usual, and an insert, whose path has no key', () => {
    for (const operation of [getEntity, deleteEntity]) {
      const input = { ...jeff, etag: '*' }
      expect(
        inBatchForPercent<typeof input, unknown>(operation, onContoso).toRequest(input, contoso),
      ).toEqual(operation.toRequest(input, contoso))
    }
    expect(inBatchForPercent(insertEntity, onContoso).toRequest(percent, contoso)).toEqual(
      insertEntity.toRequest(percent, contoso),
    )
  })

  it('returns the same result as without a batch', () => {
    const alone = { status: 200, headers: { etag: 'e' }, body: jeff.body }
    expect(inBatchForPercent(getEntity, onContoso).fromResponse(alone, jeff)).toEqual({
      raw: { PartitionKey: 'Smith', RowKey: 'Jeff' },
      etag: 'e',
      status: 200,
    })
    expect(inBatchForPercent(getEntity, onContoso).fromResponse(loneRead, percent)).toMatchObject({
      raw: { RowKey: '10%' },
    })
  })

  it('treats an expected error as an error when an earlier attempt may be its reason', () => {
    const find = inBatchForPercent(findEntity, onContoso)
    expect(find.fromResponse(loneReadOfNothing, percent)).toBeUndefined()
    expect(() => find.fromResponse(loneReadOfNothing, percent, true)).toThrow(
      expect.objectContaining({ name: 'EntityNotFoundError' }),
    )
  })

  it('returns true for a delete that finds nothing after a lost response', async () => {
    const local = localTableService()
    let lost = 0
    const transport = failingTransport(local.transport, ({ path }) =>
      path.endsWith('$batch') && lost++ === 0 ? 'lost response' : undefined,
    )
    const service = tableService({
      connectionString: local.connectionString(),
      transport,
      percentKeys: 'batch',
      sleep: async () => {},
    })
    await perform(service, createTable, { table: 'people' })
    const body = JSON.stringify({ PartitionKey: 'Smith', RowKey: '10%' })
    await perform(service, insertEntity, { ...percent, body })
    expect(await perform(service, deleteEntityIfExists, percent)).toEqual({ deleted: true })
    expect(lost).toBe(2)
  })

  it('fails like without a batch', () => {
    const operation = inBatchForPercent(getEntity, onContoso)
    expect(() => operation.fromResponse(loneReadOfNothing, percent)).toThrow(
      expect.objectContaining({
        name: 'EntityNotFoundError',
        status: 404,
        operation: 'getEntity',
        requestId: '7944c5e8-0002-0079-7bcd-59ca30000000',
        message: expect.stringMatching(/^getEntity of people\(.*failed: The specified resource/),
      }),
    )
    expect(() =>
      inBatchForPercent(insertEntity, onContoso).fromResponse(fourthExists, jeff),
    ).toThrow(expect.objectContaining({ name: 'EntityAlreadyExistsError', mayHaveApplied: false }))
  })

  it('takes the Date and the id from the whole response', () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    const seen: unknown[] = []
    const watching: typeof findEntity = {
      ...findEntity,
      fromResponse: ({ headers }) => void seen.push(headers.date, headers['x-ms-request-id']),
    }
    const { headers, ...response } = loneRead
    const dated = { ...response, headers: { ...headers, date, 'x-ms-request-id': 'id' } }
    inBatchForPercent(watching, onContoso).fromResponse(dated, percent)
    expect(seen).toEqual([date, 'id'])
  })

  it.each([
    ['the key', 0, /account is 'contoso'. The key may be wrong(?!.*minutes)/],
    [
      'the clock of this machine',
      20,
      /account is 'contoso'. The clock of this machine is 20 minutes ahead/,
    ],
  ])(
    'blames %s for a rejected credential when the clock is %i minutes ahead',
    (_, ahead, message) => {
      const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
      const body = loneReadOfNothing.body
        .replace('404 Not Found', '403 Forbidden')
        .replace('ResourceNotFound', 'AuthorizationFailure')
      const rejected = {
        ...loneReadOfNothing,
        headers: { ...loneReadOfNothing.headers, date },
        body,
      }
      const account = { endpoint: contoso, now: () => Date.parse(date) + ahead * 60_000 }
      expect(() => inBatchForPercent(getEntity, account).fromResponse(rejected, percent)).toThrow(
        expect.objectContaining({
          name: 'AuthenticationError',
          message: expect.stringMatching(message),
        }),
      )
    },
  )

  it('accepts an error that the operation expects', () => {
    const operation = inBatchForPercent(findEntity, onContoso)
    expect(operation.fromResponse(loneReadOfNothing, percent)).toBeUndefined()
  })

  it.each([noChanges, threeChanges])('rejects any other number of results than one', (response) => {
    expect(() => inBatchForPercent(mergeEntity, onContoso).fromResponse(response, percent)).toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse', mayHaveApplied: true }),
    )
  })
})

describe('a service with percentKeys', () => {
  it('sends a transaction as it is, and reads all of its results', async () => {
    const local = localTableService()
    const { transport } = local
    const connectionString = local.connectionString()
    const service = tableService({ connectionString, transport, percentKeys: 'batch' })
    await perform(service, createTable, { table: 'people' })
    const changes = ['10%', '20%'].map((rowKey) => {
      const body = JSON.stringify({ PartitionKey: 'Smith', RowKey: rowKey })
      const input = { table: 'people', key: { partitionKey: 'Smith', rowKey }, body }
      return { operation: insertEntity, input }
    })
    const results = await perform(service, entityGroupTransaction, { table: 'people', changes })
    expect(results).toHaveLength(2)
    const exact = { exactWrites: true }
    await perform(service, mergeEntity, { ...percent, body: '{"n":1}' }, exact)
    expect((await perform(service, getEntity, percent)).raw).toMatchObject({ n: 1 })
  })

  it("loads the form in a batch with the first call of 'batch', and does not wait for it again", async () => {
    const service = serviceOver(scriptedTransport(), { percentKeys: 'batch' })
    const first = await service.asSent(getEntity)
    expect(first.toRequest(percent, service.endpoint).path).toContain('$batch')
    const second = service.asSent(getEntity)
    expect(second).not.toBeInstanceOf(Promise)
    expect((await second).toRequest(percent, service.endpoint).path).toContain('$batch')
  })
})
