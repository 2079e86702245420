import { startLocalService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import azure from 'azure-storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CallWatch, methodsOf } from './call-watch.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** Azurite's answer to a read in a batch has no blank line before its body. */
const services = [
  { name: '@rowkey/local', start: () => startLocalService({ port: 0 }), readsInBatch: true },
  { name: 'Azurite', start: startAzurite, readsInBatch: false },
] satisfies readonly { name: string; start: () => Promise<Service>; readsInBatch: boolean }[]

const { entityGenerator: edm, QueryComparisons: is, TableOperators: both } = azure.TableUtilities
const { PayloadFormat } = azure.TableUtilities

type Done<Result> = (error: Error, result: Result, response: azure.ServiceResponse) => void

/** What a method gives to its callback. */
function called<Result>(start: (done: Done<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    start((error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
  })
}

/** Status and code with which the service refuses. */
const refusal = (statusCode: number, code: string) => expect.objectContaining({ statusCode, code })

/** The values of an entity without their types. */
const plain = (entity: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entity)
      .filter(([name]) => !name.startsWith('.') && name !== 'Timestamp')
      .map(([name, member]) => [name, member?._]),
  )

describe.each(services)('every method of azure-storage on $name', ({ start, readsInBatch }) => {
  const watch = new CallWatch()
  const query = watch.watch('TableQuery', azure.TableQuery)
  let service: Service
  let endpoint: string
  let tables: azure.TableService
  let people: string
  let count = 0

  beforeAll(async () => {
    service = await start()
    endpoint = /TableEndpoint=([^;]+)/.exec(service.connectionString)?.[1] ?? ''
    tables = watch.watch('TableService', azure.createTableService(service.connectionString))
  })

  afterAll(() => service.close())

  beforeEach(async () => {
    count += 1
    people = `people${count}`
    await called((done) => tables.createTable(people, done))
  })

  const person = (rowKey: string, more: object = {}) => ({
    PartitionKey: edm.String('p'),
    RowKey: edm.String(rowKey),
    ...more,
  })

  const insert = (rowKey: string, more: object = {}) =>
    called<azure.TableService.EntityMetadata>((done) =>
      tables.insertEntity(people, person(rowKey, more), done),
    )

  const read = async (rowKey: string) =>
    plain(await called<object>((done) => tables.retrieveEntity(people, 'p', rowKey, done)))

  const newQuery = () => watch.watch('TableQuery', new azure.TableQuery())

  const rowKeysOf = async (asked: azure.TableQuery): Promise<unknown[]> => {
    const { entries } = await called<azure.TableService.QueryEntitiesResult<object>>((done) =>
      tables.queryEntities(people, asked, null as never, done),
    )
    return entries.map((entry) => plain(entry).RowKey)
  }

  it('creates and deletes tables, also those that are there and those that are not', async () => {
    const name = `more${count}`
    type Result = azure.TableService.TableResult
    const exists = () => called<Result>((done) => tables.doesTableExist(name, done))
    const create = () => called<Result>((done) => tables.createTableIfNotExists(name, done))
    expect(await exists()).toMatchObject({ exists: false })
    expect(await create()).toMatchObject({ created: true })
    expect(await create()).toMatchObject({ created: false })
    expect(await exists()).toMatchObject({ exists: true })
    await expect(called((done) => tables.createTable(name, done))).rejects.toEqual(
      refusal(409, 'TableAlreadyExists'),
    )
    const drop = () =>
      called((done) => tables.deleteTable(name, (error, response) => done(error, null, response)))
    await drop()
    await expect(drop()).rejects.toEqual(refusal(404, 'ResourceNotFound'))
    expect(await called<boolean>((done) => tables.deleteTableIfExists(name, done))).toBe(false)
    await create()
    expect(await called<boolean>((done) => tables.deleteTableIfExists(name, done))).toBe(true)
  })

  it('lists tables by page and by prefix', async () => {
    const names = ['listA', 'listB', 'listC'].map((name) => `${name}${count}`)
    for (const name of names) await called((done) => tables.createTable(name, done))
    type Page = azure.TableService.ListTablesResponse
    const first = await called<Page>((done) =>
      tables.listTablesSegmented(null as never, { maxResults: 1 } as never, done),
    )
    expect(first.entries).toHaveLength(1)
    const { continuationToken } = first
    if (continuationToken === undefined) expect.fail('no token')
    const rest = await called<Page>((done) => tables.listTablesSegmented(continuationToken, done))
    expect(rest.entries).not.toContain(first.entries[0])
    const prefixed = await called<Page>((done) =>
      tables.listTablesSegmentedWithPrefix('list', null as never, done),
    )
    expect(prefixed.entries).toEqual(names)
  })

  it('inserts an entity of every type, echoed or not, and reads it in every format', async () => {
    const since = new Date(Date.UTC(2014, 7, 22, 0, 50, 30, 123))
    const values = {
      email: edm.String('jeffs@contoso.com'),
      age: edm.Int32(41),
      points: edm.Int64('9007199254740993'),
      rating: edm.Double(4.5),
      active: edm.Boolean(true),
      since: edm.DateTime(since),
      card: edm.Guid('c9da6455-213d-42c9-9a79-3e9149a57833'),
      print: edm.Binary(Buffer.of(0, 127, 255)),
    }
    const written = await insert('Jeff', values)
    expect(written['.metadata'].etag).toMatch(/^W\/"datetime'/)
    expect(await read('Jeff')).toEqual({
      PartitionKey: 'p',
      RowKey: 'Jeff',
      email: 'jeffs@contoso.com',
      age: 41,
      points: '9007199254740993',
      rating: 4.5,
      active: true,
      since,
      card: 'c9da6455-213d-42c9-9a79-3e9149a57833',
      print: Buffer.of(0, 127, 255),
    })
    for (const payloadFormat of [PayloadFormat.FULL_METADATA, PayloadFormat.NO_METADATA]) {
      const entity = await called<object>((done) =>
        tables.retrieveEntity(people, 'p', 'Jeff', { payloadFormat }, done),
      )
      expect(plain(entity)).toMatchObject({ email: 'jeffs@contoso.com', age: 41, active: true })
    }
    const echoed = await called<object>((done) =>
      tables.insertEntity(people, person('Ben', values), { echoContent: true }, done),
    )
    expect(plain(echoed)).toMatchObject({ RowKey: 'Ben', points: '9007199254740993' })
    await expect(insert('Jeff')).rejects.toEqual(refusal(409, 'EntityAlreadyExists'))
  })

  it('replaces, merges, upserts and deletes, and refuses a stale ETag', async () => {
    const first = await insert('Jeff', { age: edm.Int32(41) })
    const write = (
      method: 'replaceEntity' | 'mergeEntity' | 'insertOrReplaceEntity' | 'insertOrMergeEntity',
      more: object,
      rowKey = 'Jeff',
    ) => called((done) => tables[method](people, person(rowKey, more), done))
    const ages = async () => {
      const { age, city } = await read('Jeff')
      return { age, city }
    }
    await write('mergeEntity', { city: edm.String('Bonn') })
    expect(await ages()).toEqual({ age: 41, city: 'Bonn' })
    await write('replaceEntity', { age: edm.Int32(42) })
    expect(await ages()).toEqual({ age: 42, city: undefined })
    await write('insertOrMergeEntity', { city: edm.String('Trier') })
    expect(await ages()).toEqual({ age: 42, city: 'Trier' })
    await write('insertOrReplaceEntity', { age: edm.Int32(43) })
    expect(await ages()).toEqual({ age: 43, city: undefined })
    await write('insertOrReplaceEntity', {}, 'Ben')
    await write('insertOrMergeEntity', {}, 'Lisa')
    const stale = { '.metadata': first['.metadata'] }
    const missing = refusal(404, 'ResourceNotFound')
    await expect(write('replaceEntity', stale)).rejects.toEqual(
      refusal(412, 'UpdateConditionNotSatisfied'),
    )
    await expect(write('mergeEntity', {}, 'missing')).rejects.toEqual(missing)
    const drop = (rowKey: string, more: object = {}) =>
      called((done) =>
        tables.deleteEntity(people, person(rowKey, more), (error, response) =>
          done(error, null, response),
        ),
      )
    await expect(drop('Jeff', stale)).rejects.toEqual(refusal(412, 'UpdateConditionNotSatisfied'))
    for (const rowKey of ['Jeff', 'Ben', 'Lisa']) await drop(rowKey)
    await expect(drop('Jeff')).rejects.toEqual(missing)
    await expect(read('Jeff')).rejects.toEqual(missing)
  })

  it('queries by every kind of filter, in part and by page', async () => {
    const card = 'c9da6455-213d-42c9-9a79-3e9149a57833'
    const since = new Date(Date.UTC(2014, 7, 22))
    await insert('Jeff', {
      age: edm.Int32(41),
      points: edm.Int64('5000000000'),
      rating: edm.Double(4.5),
      active: edm.Boolean(true),
      since: edm.DateTime(since),
      card: edm.Guid(card),
      print: edm.Binary(Buffer.of(1, 2, 255)),
    })
    await insert('Ben', { age: edm.Int32(20), active: edm.Boolean(false) })
    const filters = [
      query.int32Filter('age', is.GREATER_THAN, 40),
      query.int64Filter('points', is.EQUAL, '5000000000'),
      query.doubleFilter('rating', is.LESS_THAN, 4.75),
      query.booleanFilter('active', is.EQUAL, true),
      query.dateFilter('since', is.GREATER_THAN_OR_EQUAL, since),
      query.guidFilter('card', is.EQUAL, card),
      query.binaryFilter('print', is.EQUAL, Buffer.of(1, 2, 255)),
      query.stringFilter('RowKey', is.GREATER_THAN, 'Ben'),
      query.combineFilters("PartitionKey eq 'p'", both.AND, 'age ge 41'),
    ]
    for (const filter of filters) {
      expect(await rowKeysOf(newQuery().where(filter)), filter).toEqual(['Jeff'])
    }
    const either = newQuery().where('age eq ?', 20).or('RowKey == ?', 'Jeff')
    expect(await rowKeysOf(either)).toEqual(['Ben', 'Jeff'])
    expect(await rowKeysOf(newQuery().where('age > ?', 10).and('active == ?', false))).toEqual([
      'Ben',
    ])
    expect(newQuery().select('age').top(1).toQueryObject()).toEqual({ $select: 'age', $top: 1 })
    type Page = azure.TableService.QueryEntitiesResult<object>
    const first = await called<Page>((done) =>
      tables.queryEntities(people, newQuery().select('age').top(1), null as never, done),
    )
    expect(first.entries.map(plain)).toEqual([{ age: 20 }])
    const { continuationToken } = first
    if (continuationToken === undefined) expect.fail('no token')
    const next = await called<Page>((done) =>
      tables.queryEntities(people, newQuery().select('age').top(1), continuationToken, done),
    )
    expect(next.entries.map(plain)).toEqual([{ age: 41 }])
  })

  it('commits every kind of change in one batch, and undoes one that fails', async () => {
    for (const rowKey of ['merged', 'replaced', 'kept', 'deleted']) {
      await insert(rowKey, { age: edm.Int32(41) })
    }
    const city = { city: edm.String('Bonn') }
    const batch = watch.watch('TableBatch', new azure.TableBatch())
    batch.insertEntity(person('left'), { echoContent: false })
    expect([batch.hasOperations(), batch.size()]).toEqual([true, 1])
    batch.clear()
    batch.insertEntity(person('inserted', city), { echoContent: false })
    batch.mergeEntity(person('merged', city))
    batch.replaceEntity(person('replaced', city))
    batch.insertOrMergeEntity(person('new1', city))
    batch.insertOrReplaceEntity(person('new2', city))
    batch.deleteEntity(person('deleted'))
    batch.addOperation('INSERT', person('left'), { echoContent: false })
    expect(batch.getOperation(0)).toMatchObject({ type: 'INSERT' })
    batch.removeOperation(batch.size() - 1)
    const execute = (work: azure.TableBatch) =>
      called<azure.TableService.BatchResult[]>((done) => tables.executeBatch(people, work, done))
    const results = await execute(batch)
    expect(results.map(({ response }) => response.isSuccessful)).toEqual(Array(6).fill(true))
    expect(await rowKeysOf(newQuery())).toEqual([
      'inserted',
      'kept',
      'merged',
      'new1',
      'new2',
      'replaced',
    ])
    expect([await read('merged'), await read('replaced')]).toMatchObject([
      { age: 41, city: 'Bonn' },
      { city: 'Bonn' },
    ])
    const reading = watch.watch('TableBatch', new azure.TableBatch())
    reading.retrieveEntity('p', 'kept', {} as never)
    const [kept] = await execute(reading)
    if (readsInBatch) expect(plain(kept?.entity ?? {})).toMatchObject({ RowKey: 'kept', age: 41 })
    const failing = new azure.TableBatch()
    failing.insertEntity(person('undone'), { echoContent: false })
    failing.insertEntity(person('kept'), { echoContent: false })
    await expect(execute(failing)).rejects.toEqual(refusal(409, 'EntityAlreadyExists'))
    await expect(read('undone')).rejects.toEqual(refusal(404, 'ResourceNotFound'))
  })

  it('sets access policies, signs by them, and reads with the signature', async () => {
    await insert('Jeff', { age: edm.Int32(41) })
    const Start = new Date(Date.now() - 300_000)
    const Expiry = new Date(Date.now() + 3_600_000)
    const policies = { readers: { Permissions: 'r', Start, Expiry } }
    await called((done) => tables.setTableAcl(people, policies, done))
    const { signedIdentifiers } = await called<{ signedIdentifiers: object }>((done) =>
      tables.getTableAcl(people, done as never),
    )
    expect(signedIdentifiers).toMatchObject({ readers: { Permissions: 'r' } })
    const terms = { Permissions: 'r', Start, Expiry }
    const tokens = [
      tables.generateSharedAccessSignature(people, { AccessPolicy: terms }),
      tables.generateSharedAccessSignature(people, { Id: 'readers' } as never),
    ]
    for (const token of tokens) {
      const guest = azure.createTableServiceWithSas(endpoint, token)
      const entity = await called<object>((done) => guest.retrieveEntity(people, 'p', 'Jeff', done))
      expect(plain(entity)).toMatchObject({ age: 41 })
      await expect(
        called((done) => guest.insertEntity(people, person('Ben'), done)),
      ).rejects.toMatchObject({ statusCode: 403 })
    }
    expect(tables.getUrl(people, tokens[0])).toBe(`${endpoint}/${people}?${tokens[0]}`)
  })

  it('reads and sets the properties of the service, and reads its statistics', async () => {
    type Properties = azure.common.models.ServicePropertiesResult.ServiceProperties
    const before = await called<Properties>((done) => tables.getServiceProperties(done))
    const RetentionPolicy = { Enabled: true, Days: 7 }
    const rule = {
      AllowedOrigins: ['https://contoso.com'],
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['x-ms-*'],
      ExposedHeaders: ['x-ms-request-id'],
      MaxAgeInSeconds: 60,
    }
    const changed = {
      ...before,
      Logging: { Version: '1.0', Read: true, Write: false, Delete: true, RetentionPolicy },
      Cors: { CorsRule: [rule] },
    }
    await called((done) =>
      tables.setServiceProperties(changed, (error, response) => done(error, null, response)),
    )
    const after = await called<Properties>((done) => tables.getServiceProperties(done))
    expect(after).toMatchObject({ Logging: { Read: true, RetentionPolicy }, Cors: changed.Cors })
    const locationMode = azure.StorageUtilities.LocationMode.SECONDARY_ONLY
    const host = { primaryHost: endpoint, secondaryHost: `${endpoint}-secondary` }
    const placed = azure.createTableService(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, host as never)
    const stats = await called<azure.common.models.ServiceStats>((done) =>
      watch.watch('TableService', placed).getServiceStats({ locationMode }, done),
    )
    expect(stats).toMatchObject({ GeoReplication: { Status: 'live' } })
  })

  it.each([
    ['linear', () => new azure.LinearRetryPolicyFilter(3, 1)],
    ['exponential', () => new azure.ExponentialRetryPolicyFilter(3, 1, 1, 1)],
  ])('goes on to the secondary by its %s filter when the primary is gone', async (_, filterOf) => {
    await insert('Jeff', { age: edm.Int32(41) })
    // Nothing listens on the first of all ports.
    const primaryHost = `http://127.0.0.1:1/${DEVELOPMENT_ACCOUNT}`
    const host = { primaryHost, secondaryHost: `${endpoint}-secondary` }
    const once = azure.createTableService(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, host as never)
    const locationMode = azure.StorageUtilities.LocationMode.PRIMARY_THEN_SECONDARY
    // Its retrieveEntity never leaves the primary.
    const readBy = (client: azure.TableService) =>
      called<azure.TableService.QueryEntitiesResult<object>>((done) =>
        client.queryEntities(people, newQuery(), null as never, { locationMode } as never, done),
      )
    await expect(readBy(once)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const { entries } = await readBy(watch.watch('TableService', once).withFilter(filterOf()))
    expect(entries.map(plain)).toMatchObject([{ RowKey: 'Jeff', age: 41 }])
  })

  it('leaves no method out', () => {
    const { TableBatch, TableQuery, TableService } = azure
    const methods = [
      ...methodsOf('TableService', TableService.prototype),
      ...methodsOf('TableQuery', TableQuery.prototype),
      ...methodsOf('TableQuery', TableQuery),
      ...methodsOf('TableBatch', TableBatch.prototype),
      'TableService.withFilter',
    ]
    expect(methods).toHaveLength(52)
    expect(watch.uncalled(methods)).toEqual([])
  })
})
