import {
  AmbiguousWriteError,
  BatchError,
  type Credential,
  createTable,
  deleteEntity,
  deleteEntityIfExists,
  deleteTable,
  entityGroupTransaction,
  findEntity,
  getEntity,
  insertEntity,
  mergeEntity,
  noRetry,
  perform,
  queryEntities,
  settleIdempotencyKey,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { exactService, markersIn, meeting, personOf, sweepingBeforeRead } from './exact-service.ts'

const jeff = personOf('Jeff')
const insertOf = (rowKey: string) => ({ operation: insertEntity, input: personOf(rowKey) })

describe('an exact write', () => {
  it('is one request, with a marker in the same transaction', async () => {
    const service = await exactService()
    const client = service.client()
    const { etag } = await perform(client, insertEntity, jeff)
    expect(etag).toContain('W/')
    expect(service.requests.map(({ path }) => path)).toEqual(['/devstoreaccount1/$batch'])
    expect([...(await service.rows()).keys()].map((key) => key.slice(0, 7))).toEqual([
      'Jeff',
      '~rk~op~',
    ])
  })

  it('returns what the write returns without a marker', async () => {
    const service = await exactService()
    const client = service.client()
    const echo = await perform(client, insertEntity, { ...jeff, echo: true })
    expect(echo.raw).toMatchObject({ RowKey: 'Jeff', n: 1 })
    const etag = String(echo.etag)
    const merged = await perform(client, mergeEntity, { ...personOf('Jeff', 2), etag })
    const replaced = await perform(client, updateEntity, {
      ...personOf('Jeff', 3),
      etag: String(merged.etag),
    })
    expect(new Set([etag, merged.etag, replaced.etag]).size).toBe(3)
    const changes = [insertOf('Anna'), { operation: deleteEntity, input: { ...jeff, etag: '*' } }]
    const results = await perform(client, entityGroupTransaction, { table: 'people', changes })
    expect(results).toEqual([{ etag: expect.stringContaining('W/'), status: 204 }, { status: 204 }])
    expect(await perform(client, deleteEntityIfExists, { ...jeff, etag: '*' })).toEqual({
      deleted: false,
    })
    expect(await perform(client, deleteEntityIfExists, { ...personOf('Anna'), etag: '*' })).toEqual(
      {
        deleted: true,
      },
    )
  })

  it('fails as the write fails without a marker', async () => {
    const client = (await exactService()).client()
    await perform(client, insertEntity, jeff)
    await expect(perform(client, insertEntity, jeff)).rejects.toMatchObject({
      name: 'EntityAlreadyExistsError',
      operation: 'insertEntity',
      mayHaveApplied: false,
      message: expect.stringContaining(
        "insertEntity of people(PartitionKey='Smith',RowKey='Jeff') failed",
      ),
    })
    const stale = { ...personOf('Jeff', 2), etag: 'W/"datetime\'2020-01-01T00%3A00%3A00Z\'"' }
    await expect(perform(client, mergeEntity, stale)).rejects.toMatchObject({
      name: 'ETagMismatchError',
    })
    const missing = { ...personOf('Missing', 2), etag: '*' }
    await expect(perform(client, mergeEntity, missing)).rejects.toMatchObject({
      name: 'EntityNotFoundError',
    })
    await expect(perform(client, insertEntity, { ...jeff, table: 'others' })).rejects.toMatchObject(
      {
        name: 'TableNotFoundError',
      },
    )
    const changes = [insertOf('Anna'), insertOf('Jeff')]
    const batch = perform(client, entityGroupTransaction, { table: 'people', changes })
    await expect(batch).rejects.toMatchObject({ index: 1, change: { key: jeff.key } })
    await expect(batch).rejects.toBeInstanceOf(BatchError)
  })

  it('leaves operations on tables, and reads, as they are', async () => {
    const service = await exactService()
    const client = service.client()
    await perform(client, createTable, { table: 'others' })
    await perform(client, findEntity, jeff)
    await perform(client, deleteTable, { table: 'others' })
    expect(service.requests.some(({ path }) => path.endsWith('$batch'))).toBe(false)
    await perform(client, insertEntity, jeff)
    const changes = [{ operation: getEntity, input: jeff }]
    const read = await perform(client, entityGroupTransaction, { table: 'people', changes })
    expect(read).toMatchObject([{ raw: { RowKey: 'Jeff' } }])
  })

  it('can be turned on and off for one call', async () => {
    const service = await exactService({ exactWrites: false })
    const client = service.client()
    await perform(client, insertEntity, jeff)
    await perform(client, insertEntity, personOf('Anna'), { exactWrites: true })
    expect(await markersIn(service)).toHaveLength(1)
    await expect(
      perform(client, insertEntity, jeff, { exactWrites: 1 as never }),
    ).rejects.toMatchObject({ code: 'InvalidOptionValue' })
  })

  it('has room for 99 changes', async () => {
    const client = (await exactService()).client()
    const changes = Array.from({ length: 99 }, (_, index) => insertOf(`row ${index}`))
    const results = await perform(client, entityGroupTransaction, { table: 'people', changes })
    expect(results).toHaveLength(99)
    const more = [...changes, insertOf('one more')]
    await expect(
      perform(client, entityGroupTransaction, { table: 'people', changes: more }),
    ).rejects.toMatchObject({
      code: 'InvalidBatch',
      message: expect.stringContaining('at most 99'),
    })
  })

  it('was not applied when the service fails each time, once its fence is stored', async () => {
    const service = await exactService()
    const body = '{"odata.error":{"code":"InternalError","message":{"value":"No."}}}'
    const client = meeting(service.client(), async ({ path }) =>
      path.endsWith('$batch') ? { status: 500, headers: {}, body } : undefined,
    )
    await expect(perform(client, insertEntity, jeff)).rejects.toMatchObject({
      name: 'TransportError',
      mayHaveApplied: false,
      message: expect.stringMatching(/was not applied.* The last error: insertEntity/),
    })
  })

  it('was applied when only the response to its last attempt was lost', async () => {
    const service = await exactService()
    const options = { retry: noRetry }
    const settled = perform(service.client(['lost response']), insertEntity, jeff, options)
    expect(await settled).toEqual({ etag: expect.stringContaining('W/'), etagIsOwn: false })
    const anna = personOf('Anna')
    const lost = perform(service.client(['lost response', 'late']), insertEntity, anna, options)
    const error = await lost.catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AmbiguousWriteError)
    expect(await error.resolve()).toBe('applied')
  })

  it('returns no ETag of what another program has stored since', async () => {
    const service = await exactService()
    const rival = service.client()
    const client = meeting(service.client(['lost response']), async ({ method, path }) => {
      if (method !== 'GET' || !path.includes('Jeff')) return undefined
      const changed = { ...personOf('Jeff', 2), etag: '*' }
      await perform(rival, updateEntity, changed, { exactWrites: false })
      return undefined
    })
    const result = await perform(client, insertEntity, jeff)
    expect([result.etag, result.etagIsOwn]).toEqual([undefined, undefined])
  })

  it('checks a transaction before it sends one', async () => {
    const service = await exactService()
    const other = { ...jeff, key: { partitionKey: 'Jones', rowKey: 'Jeff' } }
    const changes = [insertOf('Jeff'), { operation: insertEntity, input: other }]
    const sent = perform(service.client(), entityGroupTransaction, { table: 'people', changes })
    await expect(sent).rejects.toMatchObject({ code: 'InvalidBatch' })
    expect(service.requests).toEqual([])
  })

  it('leaves an operation of the caller as it is', async () => {
    const service = await exactService()
    await perform(service.client(), { ...insertEntity, name: 'insertPerson' }, jeff)
    expect([...(await service.rows()).keys()]).toEqual(['Jeff'])
  })

  it.each([true, false])(
    'fails with what its credential throws, if exact: %s',
    async (exactWrites) => {
      const client = {
        ...(await exactService()).client(),
        credential: { authorize: () => Promise.reject(null) },
      }
      await expect(perform(client, insertEntity, jeff, { exactWrites })).rejects.toBeNull()
    },
  )

  it('fails as it is, without a fence, when no attempt can have been applied', async () => {
    const service = await exactService()
    let sent = 0
    const client = meeting(service.client(), async () => {
      sent++
      return { status: 429, headers: {}, body: '' }
    })
    const rejected = perform(client, insertEntity, jeff, { retry: noRetry })
    await expect(rejected).rejects.toMatchObject({ status: 429, attempts: 1 })
    expect(sent).toBe(1)
  })

  it('is fenced when its credential throws before a retry, whatever it throws', async () => {
    const service = await exactService()
    const client = service.client(['late'])
    let signed = 0
    const credential: Credential = {
      authorize: (...request) =>
        ++signed === 2 ? Promise.reject(undefined) : client.credential.authorize(...request),
    }
    await expect(perform({ ...client, credential }, insertEntity, jeff)).rejects.toMatchObject({
      name: 'TransportError',
      mayHaveApplied: false,
      message: expect.stringMatching(/You can safely try again\.$/),
    })
    await service.deliverLate()
    expect((await service.rows()).has('Jeff')).toBe(false)
  })

  it('leaves a write as it is that must never be repeated', async () => {
    const service = await exactService()
    const { reconcile: _, ...once } = insertEntity
    await perform(service.client(), once, jeff)
    expect([...(await service.rows()).keys()]).toEqual(['Jeff'])
  })

  it('is unknown when its marker is swept between the fence and the read', async () => {
    const service = await exactService()
    const client = sweepingBeforeRead(service, service.client(['lost response', 'late']))
    const lost = perform(client, insertEntity, jeff, { retry: noRetry })
    const error = await lost.catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AmbiguousWriteError)
    expect(await error.resolve()).toBe('unknown')
  })

  it('leaves the output of an operation as it is, also after a lost response', async () => {
    const service = await exactService()
    const output = (value: unknown) => ({ ...insertEntity, fromResponse: () => value })
    for (const [at, value] of [true, null, { etag: undefined, n: 1 }].entries()) {
      const client = service.client(['lost response'])
      expect(await perform(client, output(value), personOf(`${at}`))).toEqual(value)
    }
  })

  it('is not shown by queries', async () => {
    const service = await exactService()
    const client = service.client()
    await perform(client, insertEntity, jeff)
    for (const select of [undefined, ['RowKey', 'n']]) {
      const { entities } = await perform(client, queryEntities, { table: 'people', select })
      expect(entities.map(({ RowKey }) => RowKey)).toEqual(['Jeff'])
    }
    const { entities, continuation } = await perform(client, queryEntities, {
      table: 'people',
      filter: "RowKey ge '~'",
      top: 1,
    })
    expect([entities, continuation]).toEqual([[], undefined])
  })
})

describe('an exact delete of an entity that may be missing', () => {
  const gone = { ...jeff, body: '', etag: '*' }

  it('is fenced when a retry finds nothing, so that a late attempt deletes nothing', async () => {
    const service = await exactService()
    const client = service.client(['late', 'pass'])
    expect(await perform(client, deleteEntityIfExists, gone)).toEqual({ deleted: false })
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST'])
    await perform(service.client(), insertEntity, jeff)
    const [response] = await service.deliverLate()
    expect(response?.body).toContain('0:The specified entity already exists')
    expect((await service.rows()).has('Jeff')).toBe(true)
  })

  it('returns true when a late attempt has deleted it before the fence', async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, jeff)
    const client = service.client(['lost response', 'pass'])
    expect(await perform(client, deleteEntityIfExists, gone)).toEqual({ deleted: true })
  })

  it.each([{}, { idempotencyKey: 'delete-1' }])(
    'fails on a changed entity, with %j',
    async (options) => {
      const client = (await exactService()).client()
      await perform(client, insertEntity, jeff)
      const stale = { ...gone, etag: 'W/"datetime\'2020-01-01T00%3A00%3A00Z\'"' }
      await expect(perform(client, deleteEntityIfExists, stale, options)).rejects.toMatchObject({
        name: 'ETagMismatchError',
        mayHaveApplied: false,
      })
    },
  )

  it('returns true when a late attempt deletes it just before its end is stored', async () => {
    const service = await exactService()
    let posts = 0
    const client = meeting(service.client(['late', 'pass']), async ({ method }) => {
      if (method !== 'POST' || ++posts !== 3) return undefined
      await perform(service.client(), insertEntity, jeff)
      await service.deliverLate()
      return undefined
    })
    expect(await perform(client, deleteEntityIfExists, gone)).toEqual({ deleted: true })
    expect((await service.rows()).has('Jeff')).toBe(false)
  })

  it('stays in doubt while the fence cannot be stored, and resolve() stores it', async () => {
    const service = await exactService()
    // The end is stored in vain with the rejection, and before the call ends: four attempts each.
    const client = service.client(['late', 'pass', ...Array<'late'>(8).fill('late')])
    const error = await perform(client, deleteEntityIfExists, gone).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AmbiguousWriteError)
    expect(await error.resolve()).toBe('not applied')
    await perform(service.client(), insertEntity, jeff)
    await service.deliverLate()
    expect((await service.rows()).has('Jeff')).toBe(true)
    expect(await error.resolve()).toBe('not applied')
  })

  it.each([
    ['at once', []],
    ['after a lost response', ['late', 'pass']],
    ['when the response to its end is lost', ['pass', 'lost response']],
  ] as const)('with a key ends %s, and a repetition deletes nothing', async (_, fates) => {
    const service = await exactService()
    const options = { idempotencyKey: 'delete-1' }
    expect(await perform(service.client(fates), deleteEntityIfExists, gone, options)).toEqual({
      deleted: false,
    })
    await perform(service.client(), insertEntity, jeff)
    await service.deliverLate()
    for (let times = 0; times < 2; times++) {
      expect(await perform(service.client(), deleteEntityIfExists, gone, options)).toEqual({
        deleted: false,
      })
    }
    expect((await service.rows()).has('Jeff')).toBe(true)
    const write = { table: 'people', partitionKey: 'Smith', idempotencyKey: 'delete-1' }
    const client = service.client()
    expect(await settleIdempotencyKey(client, write)).toBe('not applied')
  })

  it('with a key stays in doubt until its end is stored', async () => {
    const service = await exactService()
    const options = { idempotencyKey: 'delete-1', retry: noRetry }
    const client = service.client(['pass', 'late'])
    const error = await perform(client, deleteEntityIfExists, gone, options).catch((e) => e)
    expect(error).toBeInstanceOf(AmbiguousWriteError)
    await service.deliverLate()
    await perform(service.client(), insertEntity, jeff)
    expect(await error.resolve()).toBe('not applied')
    expect(await perform(service.client(), deleteEntityIfExists, gone, options)).toEqual({
      deleted: false,
    })
  })

  it('with a key ends a delete with the same key, too', async () => {
    const service = await exactService()
    const options = { idempotencyKey: 'delete-1' }
    await perform(service.client(), deleteEntityIfExists, gone, options)
    await perform(service.client(), insertEntity, jeff)
    const changes = [{ operation: deleteEntity, input: gone }]
    for (const again of [
      perform(service.client(), deleteEntity, gone, options),
      perform(service.client(), entityGroupTransaction, { table: 'people', changes }, options),
    ]) {
      await expect(again).rejects.toMatchObject({
        name: 'EntityNotFoundError',
        mayHaveApplied: false,
        message: expect.stringContaining('Make a new key'),
      })
    }
  })

  it('with a key returns what another call with the key has done', async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, jeff)
    const options = { idempotencyKey: 'delete-1' }
    for (let times = 0; times < 2; times++) {
      expect(await perform(service.client(), deleteEntityIfExists, gone, options)).toEqual({
        deleted: true,
      })
    }
  })
})

describe('the deadline of an exact write', () => {
  it('holds for all markers of a key together', async () => {
    const service = await exactService({ sleep: async () => {} })
    const options = { idempotencyKey: 'order-1', retry: noRetry }
    const write = { table: 'people', partitionKey: 'Smith', idempotencyKey: 'order-1' }
    for (let times = 0; times < 25; times++) {
      const client = service.client()
      await settleIdempotencyKey(client, write)
    }
    service.requests.length = 0
    const slow = service.client([], 10)
    const late = perform(slow, insertEntity, jeff, { ...options, deadline: 200 })
    await expect(late).rejects.toMatchObject({ code: 'DeadlineExceeded', mayHaveApplied: false })
    expect(service.requests.length).toBeLessThanOrEqual(20)
  })
})

describe('an idempotencyKey', () => {
  const idempotencyKey = 'order-1'

  it('lets another process repeat a write, which is applied once', async () => {
    const service = await exactService({ exactWrites: false })
    const first = await perform(service.client(), insertEntity, jeff, { idempotencyKey })
    const again = await perform(service.client(), insertEntity, jeff, { idempotencyKey })
    expect(again).toEqual({ etag: first.etag, etagIsOwn: false })
    await perform(service.client(), deleteEntity, { ...jeff, etag: '*' })
    expect(await perform(service.client(), insertEntity, jeff, { idempotencyKey })).toEqual({})
    expect((await service.rows()).has('Jeff')).toBe(false)
  })

  it('is used again after a write that was not applied', async () => {
    const service = await exactService()
    const lost = perform(service.client(['late']), insertEntity, jeff, {
      idempotencyKey,
      retry: noRetry,
    })
    await expect(lost).rejects.toMatchObject({ mayHaveApplied: false })
    expect(await perform(service.client(), insertEntity, jeff, { idempotencyKey })).toMatchObject({
      etag: expect.any(String),
    })
    await service.deliverLate()
    const again = await perform(service.client(), insertEntity, jeff, { idempotencyKey })
    expect(again.etagIsOwn).toBe(false)
  })

  it('is rejected for another write', async () => {
    const client = (await exactService()).client()
    await perform(client, insertEntity, jeff, { idempotencyKey })
    for (const other of [
      perform(client, insertEntity, personOf('Anna'), { idempotencyKey }),
      perform(client, mergeEntity, { ...jeff, etag: '*' }, { idempotencyKey }),
    ]) {
      await expect(other).rejects.toMatchObject({ code: 'IdempotencyKeyReused' })
    }
  })

  it.each(['', 'a/b', 'x'.repeat(101), 5])('rejects %j', async (key) => {
    const client = (await exactService()).client()
    await expect(
      perform(client, insertEntity, jeff, { idempotencyKey: key as never }),
    ).rejects.toMatchObject({ code: 'InvalidOptionValue' })
  })
})
