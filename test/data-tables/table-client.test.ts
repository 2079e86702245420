import { type Edm, odata, RestError, TableClient, TableTransaction } from '@rowkey/data-tables'
import {
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  getEntity,
  insertEntity,
  perform,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { openPeople } from './open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('TableClient', () => {
  it('an entity that was read keeps Doubles and ticks through an update', async () => {
    const { people } = await openPeople()
    const rate: Edm<'Double'> = { type: 'Double', value: 5 }
    const since: Edm<'DateTime'> = { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' }
    await people.createEntity({ ...row, rate, since, n: 1 })
    const entity = await people.getEntity<typeof row & { rate: number; n: number }>('p', 'r')
    entity.n = 2
    entity.rate = 10
    await people.updateEntity(entity, 'Replace')
    expect(await people.getEntity('p', 'r', { disableTypeConversion: true })).toMatchObject({
      rate: { type: 'Double', value: '10' },
      since: { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' },
      n: { type: 'Int32', value: '2' },
    })
  })

  it('a DateTime is read as a plain Date', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, since: new Date(5) })
    const { since } = await people.getEntity<{ since: Date }>('p', 'r')
    expect([since, since.constructor]).toEqual([new Date(5), Date])
  })

  it('a negative zero keeps its sign with disableTypeConversion', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: -0 })
    const read = await people.getEntity<typeof row>('p', 'r', { disableTypeConversion: true })
    expect(read).toMatchObject({ n: { type: 'Double', value: '-0' } })
    await people.updateEntity(read, 'Replace')
    expect(await people.getEntity('p', 'r')).toMatchObject({ n: -0 })
  })

  it('a property called __proto__ is read and kept', async () => {
    const { people } = await openPeople()
    const entity = JSON.parse('{"partitionKey":"p","rowKey":"r","__proto__":"text"}')
    await people.createEntity(entity)
    const read = await people.getEntity('p', 'r')
    expect(Object.entries(read)).toContainEqual(['__proto__', 'text'])
    await people.updateEntity({ partitionKey: 'p', rowKey: 'r', ...read }, 'Replace')
    expect(Object.entries(await people.getEntity('p', 'r'))).toContainEqual(['__proto__', 'text'])
  })

  it('a stored property with a system name hides nothing, and stays', async () => {
    const { people, local } = await openPeople()
    const service = tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
    })
    const key = { partitionKey: 'p', rowKey: 'r' }
    const body = JSON.stringify({ PartitionKey: 'p', RowKey: 'r', etag: 'e', timestamp: 't', n: 1 })
    const { etag } = await perform(service, insertEntity, { table: 'people', key, body })
    const read = await people.getEntity<typeof row & { n: number }>('p', 'r')
    expect(read).toMatchObject({ etag, n: 1 })
    await people.updateEntity({ ...read, n: 2 }, 'Merge', { etag: read.etag })
    const latest = await people.getEntity<typeof row & { n: number }>('p', 'r')
    latest.n = 3
    await people.updateEntity(latest, 'Replace', { etag: latest.etag })
    const { raw } = await perform(service, getEntity, { table: 'people', key })
    expect(raw).toMatchObject({ etag: 'e', timestamp: 't', n: 3 })
  })

  it('an update without an ETag overwrites any version, one with an ETag only that version', async () => {
    const { people } = await openPeople()
    const { etag = '' } = await people.createEntity({ ...row, n: 1 })
    await people.updateEntity({ ...row, n: 2 })
    await expect(people.updateEntity({ ...row, n: 3 }, 'Merge', { etag })).rejects.toMatchObject({
      name: 'RestError',
      statusCode: 412,
      code: 'UpdateConditionNotSatisfied',
      details: { odataError: { code: 'UpdateConditionNotSatisfied' } },
    })
  })

  it('a read of an entity that does not match its filter rejects as a missing entity', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: 1 })
    const select = ['n']
    const read = (filter: string) =>
      people.getEntity('p', 'r', { queryOptions: { filter, select } })
    expect(await read('n eq 1')).toMatchObject({ n: 1 })
    await expect(read("n eq 2 or n eq '&'")).rejects.toMatchObject({ statusCode: 404 })
    await expect(read('n eq')).rejects.toMatchObject({ statusCode: 400, code: 'InvalidInput' })
  })

  it.each([
    { type: 'Int32', value: Number.NaN },
    { type: 'Int64', value: Number.POSITIVE_INFINITY },
    { type: 'DateTime', value: new Date(Number.NaN) },
    { type: 'String', value: () => 'text' },
  ])('rejects $value as $type, because its JSON is null', async (n) => {
    const { people, sent } = await openPeople()
    await expect(people.createEntity({ ...row, n })).rejects.toMatchObject({
      code: 'InvalidPropertyValue',
    })
    expect(sent).toEqual([])
  })

  it('null counts as no options', async () => {
    const { people } = await openPeople()
    const none = null as never
    await people.createTable(none)
    await people.createEntity({ ...row, n: 1 }, none)
    await people.upsertEntity({ ...row, n: 2 }, 'Replace', none)
    await people.updateEntity({ ...row, n: 3 }, 'Merge', none)
    expect(await people.getEntity('p', 'r', none)).toMatchObject({ n: 3 })
    await people.submitTransaction([['update', { ...row, n: 4 }, 'Replace', none]], none)
    await people.deleteEntity('p', 'r', none)
    await people.deleteTable(none)
  })

  it('an error keeps the error of Rowkey as its cause', async () => {
    const { people } = await openPeople()
    const error: unknown = await people.getEntity('p', 'r').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RestError)
    expect((error as RestError).cause).toMatchObject({ name: 'EntityNotFoundError', attempts: 1 })
  })

  it('a write returns its ETag and the ids of its request', async () => {
    const { people } = await openPeople()
    expect(await people.createEntity({ ...row, n: 1 })).toEqual({
      etag: expect.stringContaining('W/"datetime'),
      requestId: expect.any(String),
      clientRequestId: expect.any(String),
      date: expect.any(Date),
      version: expect.any(String),
      preferenceApplied: 'return-no-content',
    })
  })

  it('an insert returns the entity when a custom header asks for it', async () => {
    const { people } = await openPeople()
    const requestOptions = { customHeaders: { Prefer: 'return-content' } }
    const created = await people.createEntity({ ...row, n: 1 }, { requestOptions })
    const { etag } = await people.getEntity('p', 'r')
    expect(created).toMatchObject({ etag, Timestamp: expect.any(String), PartitionKey: 'p', n: 1 })
  })

  it('selects keys and the timestamp by their names in the client', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: 1, m: 2 })
    const select = ['partitionKey', 'rowKey', 'timestamp', 'etag', 'n']
    const whole = { ...row, timestamp: expect.any(String), etag: expect.any(String), n: 1 }
    const read = await people.getEntity('p', 'r', { queryOptions: { select } })
    expect(read).toEqual({ ...whole, 'odata.metadata': expect.any(String) })
    expect(await people.listEntities({ queryOptions: { select } }).next()).toEqual({
      done: false,
      value: whole,
    })
    const { value } = await people.listEntities({ queryOptions: { select: ['n'] } }).next()
    expect(value).toEqual({ etag: expect.any(String), n: 1 })
  })

  it('a value that does not fit its type goes to the service, which decides', async () => {
    const { people, sent } = await openPeople()
    const bodyOf = async (value: object) => {
      await people.upsertEntity({ ...row, ...value }).catch(() => {})
      return JSON.parse(sent.at(-1)?.body ?? '')
    }
    expect(await bodyOf({ n: { type: 'Int32', value: '32' } })).toMatchObject({
      'n@odata.type': 'Edm.Int32',
      n: '32',
    })
    expect(await bodyOf({ yes: { type: 'Boolean', value: 'false' } })).toMatchObject({
      'yes@odata.type': 'Edm.Boolean',
      yes: 'false',
    })
    expect(await bodyOf({ id: { type: 'Guid', value: 'no guid' } })).toMatchObject({
      'id@odata.type': 'Edm.Guid',
      id: 'no guid',
    })
  })

  it('a row as the REST API has it keeps the types beside its values', async () => {
    const { people } = await openPeople()
    const Timestamp = '2020-01-01T00:00:00Z'
    const id = 'c9da6455-213d-42c9-9a79-3e9149a57833'
    const annotations = { 'big@odata.type': 'Edm.Int64', 'id@odata.type': 'Edm.Guid' }
    await people.createEntity({ ...row, Timestamp, big: '9007199254740993', id, ...annotations })
    const read = await people.getEntity('p', 'r')
    expect(read).toMatchObject({ big: 9007199254740993n, id: { type: 'Guid', value: id } })
    expect(read.timestamp).not.toBe(Timestamp)
  })

  it('a list continues with a filter that has the time of each request', async () => {
    const { people } = await openPeople()
    for (const rowKey of ['a', 'b']) await people.createEntity({ partitionKey: 'p', rowKey })
    const page = async (time: Date, settings: object) => {
      const filter = odata`Timestamp lt ${time}`
      return (await people.listEntities({ queryOptions: { filter } }).byPage(settings).next()).value
    }
    const first = await page(new Date('2100-01-01'), { maxPageSize: 1 })
    const { continuationToken } = first
    const second = await page(new Date('2100-01-02'), { continuationToken })
    expect([first[0].rowKey, second[0].rowKey]).toEqual(['a', 'b'])
  })

  it('binary values are Buffers on Node', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, bytes: new Uint8Array([10, 11, 12]) })
    const { bytes } = await people.getEntity<{ bytes: Uint8Array }>('p', 'r')
    expect(bytes.toString()).toBe(Buffer.from([10, 11, 12]).toString())
    expect(Buffer.isBuffer(bytes)).toBe(true)
  })

  it("the service's limits are errors of the service", async () => {
    const { people, options } = await openPeople()
    const key = { name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }
    const odd = new TableClient(people.url, 'no-table', key, options)
    const many = Object.fromEntries(Array.from({ length: 253 }, (_, n) => [`n${n}`, n]))
    const calls = [
      () => odd.createTable(),
      () => people.createEntity({ ...row, partitionKey: 'a/b' }),
      () => people.createEntity({ ...row, ...many }),
      () => people.createEntity({ ...row, text: 'x'.repeat(33_000) }),
      () => people.createEntity({ ...row, big: 2n ** 63n }),
      () => people.createEntity({ ...row, old: new Date(Date.UTC(1600, 0)) }),
      () =>
        people.submitTransaction([
          ['create', row],
          ['create', row],
        ]),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ name: 'RestError', statusCode: 400 })
    }
  })

  it('a transaction is one request', async () => {
    const { people, sent } = await openPeople()
    const transaction = new TableTransaction()
    transaction.createEntity({ ...row, n: 1 })
    transaction.upsertEntity({ ...row, rowKey: 's', n: 2 }, 'Replace')
    const { status, subResponses, getResponseForEntity } = await people.submitTransaction(
      transaction.actions,
    )
    expect([status, subResponses.length, getResponseForEntity('s')?.status]).toEqual([202, 2, 204])
    expect(sent.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'POST $batch',
    ])
  })

  it('reads page by page, and continues from a token', async () => {
    const { people } = await openPeople()
    for (const rowKey of ['a', 'b', 'c']) await people.createEntity({ ...row, rowKey })
    const { value: first } = await people.listEntities().byPage({ maxPageSize: 2 }).next()
    const { continuationToken } = first
    const rest = people.listEntities().byPage({ continuationToken })
    const pages: string[][] = []
    for await (const page of rest) pages.push(page.map(({ rowKey }) => rowKey ?? ''))
    expect(pages).toEqual([['c']])
  })

  it('stores access policies and returns them', async () => {
    const { people } = await openPeople()
    const start = new Date(Date.UTC(2026, 0))
    const policies = [{ id: 'readers', accessPolicy: { start, permission: 'r' } }]
    await people.setAccessPolicy(policies)
    const stored = await people.getAccessPolicy()
    expect([...stored]).toEqual(policies)
    expect(JSON.stringify(stored[0]?.accessPolicy?.start)).toBe(JSON.stringify(start))
    expect(stored.requestId).toEqual(expect.any(String))
  })

  it('takes null for the start and the end that a policy lacks, not for 1970', async () => {
    const { people } = await openPeople()
    const accessPolicy = { start: null, expiry: null, permission: 'r' } as never
    await people.setAccessPolicy([{ id: 'readers', accessPolicy }])
    const [stored] = await people.getAccessPolicy()
    expect(stored?.accessPolicy).toEqual({ permission: 'r' })
  })

  it('an aborted signal ends a call', async () => {
    const { people } = await openPeople()
    const abortSignal = AbortSignal.abort()
    await expect(people.getEntity('p', 'r', { abortSignal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it.each([
    [undefined, /no partitionKey/],
    [{ partitionKey: 'p' }, /no rowKey/],
    [{ partitionKey: 5, rowKey: 'r' }, /no partitionKey/],
  ])('rejects the entity %j and names the key', async (entity, message) => {
    const { people } = await openPeople()
    await expect(people.createEntity(entity as never)).rejects.toThrow(message)
  })
})
