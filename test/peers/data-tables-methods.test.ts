import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  odata,
  TableClient,
  TableServiceClient,
  TableTransaction,
} from '@azure/data-tables'
import { startLocalService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CallWatch, declaredMethods } from './call-watch.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const services: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } }
const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)

/** What the client's own declarations say that it can do. */
const declared = (name: string): readonly string[] => {
  const main = createRequire(import.meta.url).resolve('@azure/data-tables')
  const file = join(dirname(main), '../esm', `${name}.d.ts`)
  return declaredMethods(name, readFileSync(file, 'utf8'))
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: string; details?: { odataError?: { code?: string } } }) =>
      error.details?.odataError?.code ?? error.code,
  )

describe.each(Object.entries(services))('every method of @azure/data-tables on %s', (_, start) => {
  const watch = new CallWatch()
  let service: Service
  let url: string
  let account: TableServiceClient
  let people: TableClient
  let count = 0

  beforeAll(async () => {
    service = await start()
    url = /TableEndpoint=([^;]+)/.exec(service.connectionString)?.[1] ?? ''
    const client = watch
      .watch('TableServiceClient', TableServiceClient)
      .fromConnectionString(service.connectionString, options)
    account = watch.watch('TableServiceClient', client)
  })

  afterAll(() => service.close())

  beforeEach(async () => {
    count += 1
    people = open(`people${count}`)
    await people.createTable()
  })

  function open(name: string): TableClient {
    const client = watch
      .watch('TableClient', TableClient)
      .fromConnectionString(service.connectionString, name, options)
    return watch.watch('TableClient', client)
  }

  const insertAges = async (...ages: readonly number[]) => {
    for (const age of ages) {
      await people.createEntity({ partitionKey: 'p', rowKey: `r${age}`, age, name: `n${age}` })
    }
  }

  it('creates a table once, and deletes it', async () => {
    const name = `again${count}`
    await account.createTable(name)
    // It takes a table that is there already for one that it has made.
    await account.createTable(name)
    await account.deleteTable(name)
    // And one that is not there for one that it has deleted.
    await account.deleteTable(name)
    await people.deleteTable()
    expect(await codeOf(people.getEntity('p', 'r'))).toBe('TableNotFound')
  })

  it('lists tables by page, by filter and as a whole', async () => {
    const names = ['listA', 'listB', 'listC'].map((name) => `${name}${count}`)
    for (const name of names) await account.createTable(name)
    const filter = odata`TableName ge 'list' and TableName lt 'list{'`
    const tables = account.listTables({ queryOptions: { filter } })
    expect((await collect(tables)).map(({ name }) => name)).toEqual(names)
    const sizes: number[] = []
    for await (const page of account
      .listTables({ queryOptions: { filter } })
      .byPage({ maxPageSize: 2 })) {
      sizes.push(page.length)
    }
    expect(sizes).toEqual([2, 1])
  })

  it('goes on with a list of tables from its continuation token', async () => {
    for (const name of ['goA', 'goB', 'goC']) await account.createTable(`${name}${count}`)
    const queryOptions = { filter: odata`TableName ge 'go' and TableName lt 'go{'` }
    const pages = account.listTables({ queryOptions }).byPage({ maxPageSize: 1 })
    const { value: first } = await pages.next()
    const { continuationToken } = first
    const rest = account.listTables({ queryOptions }).byPage({ maxPageSize: 5, continuationToken })
    expect((await collect(rest)).flat().map(({ name }) => name)).toEqual([
      `goB${count}`,
      `goC${count}`,
    ])
  })

  it('sets the properties of the service and reads them', async () => {
    const retentionPolicy = { enabled: true, days: 7 }
    const rule = {
      allowedOrigins: 'https://contoso.com,https://fabrikam.com',
      allowedMethods: 'GET,PUT',
      allowedHeaders: 'x-ms-*',
      exposedHeaders: 'x-ms-request-id',
      maxAgeInSeconds: 60,
    }
    await account.setProperties({
      logging: { version: '1.0', read: true, write: false, delete: true, retentionPolicy },
      hourMetrics: { version: '1.0', enabled: true, includeAPIs: true, retentionPolicy },
      minuteMetrics: { version: '1.0', enabled: false, retentionPolicy: { enabled: false } },
      cors: [rule],
    })
    expect(await account.getProperties()).toMatchObject({
      logging: { read: true, write: false, delete: true, retentionPolicy },
      hourMetrics: { enabled: true, includeAPIs: true, retentionPolicy },
      minuteMetrics: { enabled: false },
      cors: [rule],
    })
    await account.setProperties({ cors: [] })
    const { cors, logging } = await account.getProperties()
    expect(cors ?? []).toEqual([])
    expect(logging).toMatchObject({ read: true })
  })

  it('reads the statistics of the secondary, and of nothing else', async () => {
    const secondary = new TableServiceClient(`${url}-secondary`, key, options)
    const { geoReplication } = await watch.watch('TableServiceClient', secondary).getStatistics()
    expect(geoReplication).toMatchObject({ status: 'live', lastSyncTime: expect.any(Date) })
    await expect(account.getStatistics()).rejects.toMatchObject({ statusCode: 400 })
  })

  it('inserts an entity once and reads it, whole, in part and exactly typed', async () => {
    const entity = { partitionKey: 'p', rowKey: 'r', age: 41, points: 5n, since: new Date(0) }
    const { etag, date, requestId, version } = await people.createEntity(entity)
    expect([etag, date, requestId, version]).not.toContain(undefined)
    expect(await codeOf(people.createEntity(entity))).toBe('EntityAlreadyExists')
    expect(await people.getEntity('p', 'r')).toMatchObject({ ...entity, etag })
    const part = await people.getEntity('p', 'r', { queryOptions: { select: ['age'] } })
    expect(part).toMatchObject({ age: 41 })
    expect(part).not.toHaveProperty('points')
    expect(await people.getEntity('p', 'r', { disableTypeConversion: true })).toMatchObject({
      points: { type: 'Int64', value: '5' },
    })
    expect(await codeOf(people.getEntity('p', 'missing'))).toBe('ResourceNotFound')
  })

  it('lists entities by filter, in part, by page and from a continuation token', async () => {
    await insertAges(10, 20, 30, 40, 50)
    const queryOptions = { filter: odata`age ge ${20}`, select: ['age'] }
    const ages = await collect(people.listEntities({ queryOptions }))
    expect(ages.map(({ age }) => age)).toEqual([20, 30, 40, 50])
    expect(ages[0]).not.toHaveProperty('name')
    const pages = people.listEntities({ queryOptions }).byPage({ maxPageSize: 3 })
    const { value: first } = await pages.next()
    expect(first).toHaveLength(3)
    const { continuationToken } = first
    const rest = people.listEntities({ queryOptions }).byPage({ continuationToken })
    expect((await collect(rest)).flat().map(({ age }) => age)).toEqual([50])
  })

  it.each(['Merge', 'Replace'] as const)('updates with %s, by ETag and without', async (mode) => {
    await insertAges(10)
    const change = { partitionKey: 'p', rowKey: 'r10', city: 'Bonn' }
    const { etag: first } = await people.getEntity('p', 'r10')
    const { etag } = await people.updateEntity(change, mode, { etag: first })
    expect(etag).not.toBe(first)
    const read = await people.getEntity('p', 'r10')
    expect([read.city, read.age]).toEqual(['Bonn', mode === 'Merge' ? 10 : undefined])
    const stale = people.updateEntity(change, mode, { etag: first })
    expect(await codeOf(stale)).toBe('UpdateConditionNotSatisfied')
    await people.updateEntity(change, mode)
    const missing = people.updateEntity({ ...change, rowKey: 'missing' }, mode)
    expect(await codeOf(missing)).toBe('ResourceNotFound')
  })

  it.each(['Merge', 'Replace'] as const)('upserts with %s, there or not', async (mode) => {
    await insertAges(10)
    await people.upsertEntity({ partitionKey: 'p', rowKey: 'r10', city: 'Bonn' }, mode)
    await people.upsertEntity({ partitionKey: 'p', rowKey: 'new', city: 'Trier' }, mode)
    const rows = await collect(people.listEntities())
    expect(rows.map(({ rowKey, city, age }) => [rowKey, city, age])).toEqual([
      ['new', 'Trier', undefined],
      ['r10', 'Bonn', mode === 'Merge' ? 10 : undefined],
    ])
  })

  it('deletes an entity by ETag and without', async () => {
    await insertAges(10, 20)
    const { etag } = await people.getEntity('p', 'r10')
    await people.updateEntity({ partitionKey: 'p', rowKey: 'r10', age: 11 }, 'Merge')
    expect(await codeOf(people.deleteEntity('p', 'r10', { etag }))).toBe(
      'UpdateConditionNotSatisfied',
    )
    await people.deleteEntity('p', 'r10')
    await people.deleteEntity('p', 'r20')
    expect(await codeOf(people.deleteEntity('p', 'r20'))).toBe('ResourceNotFound')
    expect(await collect(people.listEntities())).toEqual([])
  })

  it('sets access policies and reads them', async () => {
    const start = new Date(Date.UTC(2026, 0))
    const expiry = new Date(Date.UTC(2030, 0))
    await people.setAccessPolicy([
      { id: 'readers', accessPolicy: { start, expiry, permission: 'r' } },
      { id: 'writers', accessPolicy: { start, expiry, permission: 'raud' } },
    ])
    const read = await people.getAccessPolicy()
    expect(Array.from(read, ({ id, accessPolicy }) => [id, accessPolicy])).toEqual([
      ['readers', { start, expiry, permission: 'r' }],
      ['writers', { start, expiry, permission: 'raud' }],
    ])
    await people.setAccessPolicy([])
    expect(Array.from(await people.getAccessPolicy())).toEqual([])
  })

  it('commits every kind of change in one transaction', async () => {
    await insertAges(10, 20, 30, 40)
    const row = (age: number) => ({ partitionKey: 'p', rowKey: `r${age}` })
    const transaction = watch.watch('TableTransaction', new TableTransaction())
    transaction.createEntity({ ...row(50), age: 50 })
    transaction.updateEntity({ ...row(10), city: 'Bonn' }, 'Merge')
    transaction.updateEntity({ ...row(20), city: 'Bonn' }, 'Replace')
    transaction.upsertEntity({ ...row(30), city: 'Bonn' }, 'Merge')
    transaction.upsertEntity({ ...row(60), city: 'Bonn' }, 'Replace')
    transaction.deleteEntity('p', 'r40')
    const answer = await people.submitTransaction(transaction.actions)
    expect(answer.subResponses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204])
    const isWritten = answer.subResponses.map(({ etag }) => etag !== undefined)
    expect(isWritten).toEqual([true, true, true, true, true, false])
    const rows = await collect(people.listEntities())
    expect(rows.map(({ rowKey, age, city }) => [rowKey, age, city])).toEqual([
      ['r10', 10, 'Bonn'],
      ['r20', undefined, 'Bonn'],
      ['r30', 30, 'Bonn'],
      ['r50', 50, undefined],
      ['r60', undefined, 'Bonn'],
    ])
  })

  it('accepts signatures of the key, of a table SAS and of an account SAS', async () => {
    await insertAges(10)
    const { tableName } = people
    const ofTable = generateTableSas(tableName, key, { permissions: { query: true } })
    const ofAccount = generateAccountSas(key, { permissions: { list: true, query: true } })
    const byKey = new TableClient(url, tableName, key, options)
    const bySas = new TableClient(url, tableName, new AzureSASCredential(ofTable), options)
    const inUrl = new TableClient(`${url}?${ofTable}`, tableName, options)
    for (const client of [byKey, bySas, inUrl]) {
      expect(await client.getEntity('p', 'r10')).toMatchObject({ age: 10 })
    }
    const lister = new TableServiceClient(url, new AzureSASCredential(ofAccount), options)
    const names = (await collect(lister.listTables())).map(({ name }) => name)
    expect(names).toContain(tableName)
    expect(people.url).toBe(url)
    expect(people.pipeline.getOrderedPolicies()).not.toEqual([])
  })

  it('leaves no method out', () => {
    const methods = ['TableClient', 'TableServiceClient', 'TableTransaction'].flatMap(declared)
    expect(methods).toHaveLength(23)
    expect(watch.uncalled(methods)).toEqual([])
  })
})
