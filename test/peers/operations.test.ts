import { odata, TableClient, TableServiceClient, TableTransaction } from '@azure/data-tables'
import { startLocalService } from '@rowkey/local'
import * as rest from '@rowkey/rest'
import {
  createTable,
  deleteEntity,
  deleteTable,
  entityGroupTransaction,
  findEntity,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTable,
  getTableAcl,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  noRetry,
  type Operation,
  queryEntities,
  queryTables,
  retrieveEntity,
  setServiceProperties,
  setTableAcl,
  type TableService,
  tableService,
  updateEntity,
} from '@rowkey/rest'
import { Account } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const bodyOf = (properties: object, { partitionKey, rowKey } = key): string =>
  JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey, ...properties })

const isOperation = (value: unknown): value is Operation<object, unknown> =>
  typeof value === 'object' && value !== null && 'toRequest' in value && 'fromResponse' in value

/** Every operation that there is. */
const operations = Object.values<unknown>(rest).filter(isOperation)

describe.each([
  ['Azurite', startAzurite],
  ['the embedded service', () => startLocalService({ port: 0 })],
])('every operation on %s', (_, start) => {
  /** The names of those that were performed, alone or in a batch. */
  const performed = new Set<string>()
  const perform: typeof rest.perform = (to, operation, input, options) => {
    performed.add(operation.name)
    const { changes = [] } = input as { changes?: readonly rest.Change[] }
    for (const change of changes) performed.add(change.operation.name)
    return rest.perform(to, operation, input, options)
  }
  let host: Service
  let service: TableService
  let official: TableServiceClient
  let ours: TableClient
  let theirs: TableClient

  beforeAll(async () => {
    host = await start()
    service = tableService({ connectionString: host.connectionString, retry: noRetry })
    const insecure = { allowInsecureConnection: true }
    official = TableServiceClient.fromConnectionString(host.connectionString, insecure)
    ours = TableClient.fromConnectionString(host.connectionString, 'ours', insecure)
    theirs = TableClient.fromConnectionString(host.connectionString, 'theirs', insecure)
  })

  afterAll(async () => {
    await service.close()
    await host.close()
  })

  beforeEach(async () => {
    for (const client of [ours, theirs]) {
      await client.deleteTable()
      await client.createTable()
    }
  })

  /** What is stored in both tables, by the official client, without what differs by the moment. */
  async function stored(client: TableClient): Promise<object[]> {
    const rows: object[] = []
    for await (const { etag, timestamp, ...row } of client.listEntities()) rows.push(row)
    return rows
  }

  async function policiesOf(client: TableClient): Promise<object[]> {
    return Array.from(await client.getAccessPolicy(), ({ id, accessPolicy }) => ({
      id,
      accessPolicy,
    }))
  }

  async function expectSame(): Promise<void> {
    expect(await stored(ours)).toEqual(await stored(theirs))
  }

  it('creates, finds, lists and deletes tables', async () => {
    await perform(service, createTable, { table: 'another' })
    expect(await perform(service, getTable, { table: 'another' })).toEqual({ table: 'another' })
    const { tables } = await perform(service, queryTables, { filter: "TableName eq 'another'" })
    expect(tables).toEqual(['another'])
    await expect(perform(service, createTable, { table: 'another' })).rejects.toMatchObject({
      name: 'TableAlreadyExistsError',
    })
    await perform(service, deleteTable, { table: 'another' })
    for (const operation of [getTable, deleteTable]) {
      await expect(
        perform<{ table: string }, unknown>(service, operation, { table: 'another' }),
      ).rejects.toMatchObject({ name: 'TableNotFoundError' })
    }
    const names: (string | undefined)[] = []
    for await (const { name } of official.listTables()) names.push(name)
    expect(names).not.toContain('another')
  })

  it('sets the same access policies as the official client', async () => {
    const [start, expiry] = [new Date('2026-01-01T00:00:00Z'), new Date('2099-01-01T00:00:00Z')]
    const policies = [
      { id: 'readers', start, expiry, permissions: 'r' },
      { id: 'writers & <others>', start, expiry, permissions: 'raud' },
    ]
    await perform(service, setTableAcl, { table: 'ours', policies })
    await theirs.setAccessPolicy([
      { id: 'readers', accessPolicy: { start, expiry, permission: 'r' } },
      { id: 'writers & <others>', accessPolicy: { start, expiry, permission: 'raud' } },
    ])
    expect(await perform(service, getTableAcl, { table: 'ours' })).toEqual(
      await perform(service, getTableAcl, { table: 'theirs' }),
    )
    expect(await policiesOf(ours)).toEqual(await policiesOf(theirs))
  })

  it('revokes one access policy, and the official client sees the others', async () => {
    const { accessPolicies } = new Account(service).table('ours')
    // Azurite takes no policy without a start.
    const [start, expiry] = [new Date('2026-01-01T00:00:00Z'), new Date('2099-01-01T00:00:00Z')]
    await accessPolicies.set([
      { id: 'a', start, expiry, permissions: 'r' },
      { id: 'b', start, expiry, permissions: 'ra' },
    ])
    expect(await accessPolicies.revoke('a')).toBe(true)
    expect(await accessPolicies.revoke('a')).toBe(false)
    expect(await policiesOf(ours)).toMatchObject([
      { id: 'b', accessPolicy: { start, expiry, permission: 'ra' } },
    ])
  })

  it('sets the properties that the official client reads', async () => {
    const properties = {
      logging: { read: false, write: true, delete: true, retentionDays: 7 },
      hourMetrics: { enabled: true, includeApis: true, retentionDays: 30 },
      minuteMetrics: { enabled: false },
      cors: [
        {
          allowedOrigins: ['https://contoso.com', 'https://fabrikam.com'],
          allowedMethods: ['GET', 'PUT'],
          allowedHeaders: ['x-ms-*', 'content-type'],
          exposedHeaders: ['x-ms-*'],
          maxAgeInSeconds: 500,
        },
      ],
    }
    await perform(service, setServiceProperties, properties)
    expect(await perform(service, getServiceProperties, {})).toEqual(properties)
    const read = await official.getProperties()
    expect(read).toMatchObject({
      logging: { read: false, write: true, delete: true },
      hourMetrics: { enabled: true, includeAPIs: true, retentionPolicy: { days: 30 } },
      minuteMetrics: { enabled: false },
      cors: [{ allowedOrigins: 'https://contoso.com,https://fabrikam.com', maxAgeInSeconds: 500 }],
    })
    await perform(service, setServiceProperties, { cors: [] })
    expect(await perform(service, getServiceProperties, {})).toEqual({ ...properties, cors: [] })
  })

  it('reads the statistics from the secondary', async () => {
    const { status, lastSyncTime } = await perform(service, getServiceStats, {})
    expect(status).toBe('live')
    expect(lastSyncTime).toBeInstanceOf(Date)
  })

  it('inserts with and without an echo', async () => {
    const body = bodyOf({ age: 39, name: 'Jeff' })
    const quiet = await perform(service, insertEntity, { table: 'ours', key, body })
    expect(quiet.raw).toBeUndefined()
    expect(quiet.etag).toMatch(/^W\//)
    await theirs.createEntity({ ...key, age: 39, name: 'Jeff' })
    await expectSame()
    const ben = { partitionKey: 'Smith', rowKey: 'Ben' }
    const echo = await perform(service, insertEntity, {
      table: 'ours',
      key: ben,
      body: bodyOf({ age: 1 }, ben),
      echo: true,
    })
    expect(echo.raw).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Ben', age: 1 })
  })

  it('leaves the same behind as the official client, write by write', async () => {
    const write = (properties: object, etag = '*') => ({
      table: 'ours',
      key,
      body: bodyOf(properties),
      etag,
    })
    await perform(service, insertOrMergeEntity, write({ a: 1, b: 'x' }))
    await theirs.upsertEntity({ ...key, a: 1, b: 'x' }, 'Merge')
    await expectSame()
    await perform(service, mergeEntity, write({ b: 'y', c: true }))
    await theirs.updateEntity({ ...key, b: 'y', c: true }, 'Merge')
    await expectSame()
    await perform(service, updateEntity, write({ c: false }))
    await theirs.updateEntity({ ...key, c: false }, 'Replace')
    await expectSame()
    await perform(service, insertOrReplaceEntity, write({ d: 1.5 }))
    await theirs.upsertEntity({ ...key, d: 1.5 }, 'Replace')
    await expectSame()
    await perform(service, deleteEntity, write({}))
    await theirs.deleteEntity(key.partitionKey, key.rowKey)
    await expectSame()
    expect(await stored(ours)).toEqual([])
  })

  it('rejects a write with an old ETag', async () => {
    const write = { table: 'ours', key, body: bodyOf({ a: 1 }) }
    const { etag } = await perform(service, insertEntity, write)
    await perform(service, mergeEntity, { ...write, etag })
    for (const operation of [mergeEntity, updateEntity, deleteEntity]) {
      await expect(perform(service, operation, { ...write, etag })).rejects.toMatchObject({
        name: 'ETagMismatchError',
      })
    }
  })

  it('reads a whole entity, a part of it, and a missing one', async () => {
    await theirs.createEntity({ ...key, a: 1, b: 'x' })
    const whole = await perform(service, getEntity, { table: 'theirs', key })
    expect(whole.raw).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff', a: 1, b: 'x' })
    const part = await perform(service, getEntity, { table: 'theirs', key, select: ['b'] })
    expect(part.raw).toMatchObject({ b: 'x' })
    expect(part.raw.a).toBeUndefined()
    const zoe = { partitionKey: 'Smith', rowKey: 'Zoe' }
    expect(await perform(service, findEntity, { table: 'theirs', key: zoe })).toBeUndefined()
  })

  it('queries what the official client finds', async () => {
    for (let i = 0; i < 5; i++) await theirs.createEntity({ partitionKey: 'p', rowKey: `${i}`, i })
    const filter = odata`PartitionKey eq 'p' and i ge 2`
    const { entities } = await perform(service, queryEntities, {
      table: 'theirs',
      filter,
      select: ['RowKey', 'i'],
    })
    const found: unknown[] = []
    for await (const { rowKey, i } of theirs.listEntities({ queryOptions: { filter } })) {
      found.push({ RowKey: rowKey, i })
    }
    expect(entities.map(({ RowKey, i }) => ({ RowKey, i }))).toEqual(found)
  })

  it('leaves the same behind after a batch of every kind of change', async () => {
    for (const client of [ours, theirs]) {
      for (const rowKey of ['merge', 'replace', 'delete']) {
        await client.createEntity({ partitionKey: 'p', rowKey, a: 1, b: 2 })
      }
    }
    const change = (operation: typeof insertEntity, rowKey: string) => {
      const at = { partitionKey: 'p', rowKey }
      return {
        operation,
        input: { table: 'ours', key: at, body: bodyOf({ b: 3 }, at), etag: '*' },
      }
    }
    const results = await perform(service, entityGroupTransaction, {
      table: 'ours',
      changes: [
        change(insertEntity, 'insert'),
        change(mergeEntity, 'merge'),
        change(updateEntity, 'replace'),
        change(insertOrMergeEntity, 'upsert merge'),
        change(insertOrReplaceEntity, 'upsert replace'),
        change(deleteEntity, 'delete'),
      ],
    })
    expect(results).toHaveLength(6)
    const transaction = new TableTransaction()
    const entity = (rowKey: string) => ({ partitionKey: 'p', rowKey, b: 3 })
    transaction.createEntity(entity('insert'))
    transaction.updateEntity(entity('merge'), 'Merge')
    transaction.updateEntity(entity('replace'), 'Replace')
    transaction.upsertEntity(entity('upsert merge'), 'Merge')
    transaction.upsertEntity(entity('upsert replace'), 'Replace')
    transaction.deleteEntity('p', 'delete')
    await theirs.submitTransaction(transaction.actions)
    await expectSame()
  })

  it('reads one entity in a batch of its own', async () => {
    await theirs.createEntity({ ...key, a: 1 })
    const read = (rowKey: string) => ({
      operation: getEntity,
      input: { table: 'theirs', key: { partitionKey: 'Smith', rowKey }, body: '' },
    })
    const retrieve = (rowKey: string) => ({ ...read(rowKey), operation: retrieveEntity })
    for (const [rowKey, raw] of [
      ['Jeff', expect.objectContaining({ a: 1 })],
      ['Zoe', undefined],
    ] as const) {
      const changes = [retrieve(rowKey)]
      const table = 'theirs'
      const [retrieved] = await perform(service, entityGroupTransaction, { table, changes })
      expect(retrieved?.raw).toEqual(raw)
    }
    const [found] = await perform(service, entityGroupTransaction, {
      table: 'theirs',
      changes: [read('Jeff')],
    })
    expect(found).toMatchObject({ etag: expect.stringMatching(/^W\//), raw: { a: 1 } })
    await expect(
      perform(service, entityGroupTransaction, { table: 'theirs', changes: [read('Zoe')] }),
    ).rejects.toMatchObject({ name: 'BatchError', index: 0, status: 404 })
  })

  it.each(['path', 'batch'] as const)(
    'reads, changes and deletes keys with percent signs by %s',
    async (percentKeys) => {
      const { connectionString } = host
      const careful = tableService({ connectionString, retry: noRetry, percentKeys })
      const percent = { partitionKey: 'p', rowKey: 'Metric%25' }
      const other = { partitionKey: 'p', rowKey: 'Metric%' }
      const write = { table: 'ours', key: percent, body: bodyOf({ a: 1 }, percent), etag: '*' }
      for (const at of [percent, other]) await theirs.createEntity({ ...at, a: 0 })
      for (const at of [percent, other]) await ours.createEntity({ ...at, a: 0 })
      const { raw } = await perform(careful, getEntity, { table: 'ours', key: percent })
      expect(raw).toMatchObject({ RowKey: 'Metric%25', a: 0 })
      await perform(careful, mergeEntity, write)
      await theirs.updateEntity({ ...percent, a: 1 }, 'Merge')
      await expectSame()
      await perform(careful, deleteEntity, write)
      await theirs.deleteEntity(percent.partitionKey, percent.rowKey)
      await expectSame()
      expect(await perform(careful, findEntity, { table: 'ours', key: percent })).toBeUndefined()
      await expect(perform(careful, getEntity, { table: 'ours', key: percent })).rejects.toThrow(
        expect.objectContaining({ name: 'EntityNotFoundError' }),
      )
      await careful.close()
    },
  )

  it('leaves no operation out', () => {
    expect(operations.length).toBeGreaterThan(15)
    // The variants for missing and existing things have the name of their operation.
    const names = new Set(operations.map(({ name }) => name))
    expect([...performed].sort()).toEqual([...names].sort())
  })
})
