import { createHttpHeaders, type HttpClient, RestError } from '@azure/core-rest-pipeline'
import * as official from '@azure/data-tables'
import * as ours from '@rowkey/data-tables'
import { startLocalService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataTables, Face } from './data-tables-face.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** What the official client's own tests assert, restated; both packages must pass, on both services. */
const packages: Readonly<Record<string, DataTables>> = { official, ours }
const services: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

const allowed = { allowInsecureConnection: true }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The status of the last response, for `onResponse`. */
function statusOf() {
  const seen: { status?: number } = {}
  const onResponse = ({ status }: { status: number }) => {
    seen.status = status
  }
  return { seen, onResponse }
}

type Client = Face<official.TableClient>
type ServiceClient = Face<official.TableServiceClient>

/** Every kind of credential that plain http allows. */
const CREDENTIALS: Readonly<
  Record<string, (tables: DataTables, text: string, table: string) => [Client, ServiceClient]>
> = {
  'a connection string': ({ TableClient, TableServiceClient }, text, table) => [
    TableClient.fromConnectionString(text, table, allowed),
    TableServiceClient.fromConnectionString(text, allowed),
  ],
  'a connection string with a SAS': (tables, text, table) => {
    const { TableClient, TableServiceClient } = tables
    const url = `TableEndpoint=${urlIn(text)};SharedAccessSignature=${sasOf(tables)}`
    return [
      TableClient.fromConnectionString(url, table, allowed),
      TableServiceClient.fromConnectionString(url, allowed),
    ]
  },
  'a SAS': (tables, text, table) => {
    const sas = new tables.AzureSASCredential(sasOf(tables))
    return [
      new tables.TableClient(urlIn(text), table, sas, allowed),
      new tables.TableServiceClient(urlIn(text), sas, allowed),
    ]
  },
  'a SAS in the URL': (tables, text, table) => {
    const url = `${urlIn(text)}?${sasOf(tables)}`
    return [
      new tables.TableClient(url, table, allowed),
      new tables.TableServiceClient(url, allowed),
    ]
  },
}

const urlIn = (text: string): string => /TableEndpoint=([^;]+)/.exec(text)?.[1] ?? ''

function sasOf({ AzureNamedKeyCredential, generateAccountSas }: DataTables): string {
  const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
  const permissions = {
    query: true,
    write: true,
    delete: true,
    list: true,
    add: true,
    update: true,
  }
  return generateAccountSas(key, { permissions })
}

/** A value, and what a read returns of it, plainly and with its type. */
type Value = readonly [title: string, value: unknown, plain: unknown, typed?: unknown]
const LISTED: readonly Value[] = [
  ['a string', 'testEntity', 'testEntity', { value: 'testEntity', type: 'String' }],
  ['an empty string', { value: '', type: 'String' }, '', { value: '', type: 'String' }],
  ['a Date', new Date('2020-09-17T00:00:00.111Z'), new Date('2020-09-17T00:00:00.111Z')],
  [
    'a Guid',
    { value: 'cf8ef051-1b7d-4e93-a1e5-a3944d7e441c', type: 'Guid' },
    { value: 'cf8ef051-1b7d-4e93-a1e5-a3944d7e441c', type: 'Guid' },
    { value: 'cf8ef051-1b7d-4e93-a1e5-a3944d7e441c', type: 'Guid' },
  ],
  [
    'an Int64',
    { value: '12345543221', type: 'Int64' },
    12345543221n,
    { value: '12345543221', type: 'Int64' },
  ],
  ['a bigint', 12345n, 12345n, { value: '12345', type: 'Int64' }],
  ['an Int32', { value: 123, type: 'Int32' }, 123, { value: '123', type: 'Int32' }],
  ['a Boolean', { value: true, type: 'Boolean' }, true, { value: 'true', type: 'Boolean' }],
  ['a boolean', false, false, { value: 'false', type: 'Boolean' }],
  [
    'a DateTime with five digits',
    { value: '2020-09-17T00:00:00.99999Z', type: 'DateTime' },
    new Date('2020-09-17T00:00:00.999Z'),
    { value: '2020-09-17T00:00:00.99999Z', type: 'DateTime' },
  ],
  ['an integer', 3, 3, { value: '3', type: 'Int32' }],
  ['a fraction', 3.14, 3.14, { value: '3.14', type: 'Double' }],
  [
    'a Double in scientific notation',
    { value: '1.23456789012346e+24', type: 'Double' },
    1.23456789012346e24,
    { value: '1.23456789012346e+24', type: 'Double' },
  ],
  ['bytes', new Uint8Array([66, 97, 114]), Buffer.from('Bar'), { value: 'QmFy', type: 'Binary' }],
]

const VALUES = LISTED.map(([title, value, plain, typed]) => ({ title, value, plain, typed }))

const SPECIAL = [
  ...["'", '"', '{}', '[]', '()', ':', '@', '&', '=', '+', ',', '$', '-', '_', '<>', ';'],
  ...['~', '^', '!', '%', '*'],
]

let count = 0

describe.each(Object.entries(services))('on %s', (name, start) => {
  let service: Service
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.close())

  describe.each(Object.entries(packages))('with the %s package', (_package, tables) => {
    const { odata } = tables
    let client: Client
    let account: ServiceClient
    beforeAll(async () => {
      const text = service.connectionString
      const table = `suite${++count}`
      ;[client, account] = CREDENTIALS['a connection string']!(tables, text, table)
      await client.createTable()
    })

    it.each(Object.entries(CREDENTIALS))('works with %s', async (_credential, open) => {
      const table = `auth${++count}`
      const [one, all] = open(tables, service.connectionString, table)
      const created = statusOf()
      const deleted = statusOf()
      await all.createTable(table, created)
      await one.createEntity({ partitionKey: 'P1', rowKey: 'R1', foo: 'bar' })
      await one.updateEntity({ partitionKey: 'P1', rowKey: 'R1', foo: 'baz' })
      expect((await one.getEntity('P1', 'R1')).foo).toBe('baz')
      await one.submitTransaction([
        ['create', { partitionKey: 'P2', rowKey: 'R2', foo: 'bar' }],
        ['create', { partitionKey: 'P2', rowKey: 'R4', foo: 'baz' }],
      ])
      const queryOptions = { filter: odata`PartitionKey eq ${'P2'}`, select: ['foo'] }
      const values = await collect(one.listEntities({ queryOptions }))
      expect(values.map(({ foo }) => foo)).toEqual(['bar', 'baz'])
      await all.deleteTable(table, deleted)
      expect([created.seen.status, deleted.seen.status]).toEqual([201, 204])
    })

    it.each(VALUES)('stores $title', async ({ title, value, plain, typed }) => {
      const partitionKey = title
      const created = statusOf()
      const deleted = statusOf()
      const entity = { partitionKey, rowKey: 'R', testField: value }
      await client.createEntity(entity, created)
      const read = await client.getEntity(partitionKey, 'R')
      expect([read.partitionKey, read.rowKey]).toEqual([partitionKey, 'R'])
      expect(read.testField).toEqual(plain)
      expect(typeof read.testField).toBe(typeof plain)
      const whole = await client.getEntity(partitionKey, 'R', { disableTypeConversion: true })
      if (typed !== undefined) expect(whole.testField).toEqual(typed)
      await client.deleteEntity(partitionKey, 'R', deleted)
      expect([created.seen.status, deleted.seen.status]).toEqual([204, 204])
    })

    it('selects keys and the ETag by their names in the client', async () => {
      const entity = {
        partitionKey: 'select',
        rowKey: 'R1',
        foo: 'testEntity',
        bar: 123,
        baz: true,
      }
      await client.createEntity(entity)
      const select = ['baz', 'partitionKey', 'rowKey', 'etag']
      const read = await client.getEntity('select', 'R1', { queryOptions: { select } })
      expect(read).toMatchObject({ partitionKey: 'select', rowKey: 'R1', baz: true })
      expect(read.etag).toBeDefined()
      expect([read.foo, read.bar]).toEqual([undefined, undefined])
    })

    it('lists all, by page, with a filter, and from a token', async () => {
      const partitionKey = 'listed'
      await client.createEntity({ partitionKey, rowKey: 'binary1', foo: new Uint8Array([66]) })
      const actions: official.TransactionAction[] = []
      for (let n = 0; n < 20; n++) {
        actions.push(['create', { partitionKey, rowKey: `${n}`, foo: 'listed' }])
      }
      await client.submitTransaction(actions)
      const list = (filter: string) => client.listEntities({ queryOptions: { filter } })
      const ofPartition = odata`PartitionKey eq ${partitionKey}`
      const all = await collect(list(ofPartition))
      expect(all).toHaveLength(21)
      expect(all.every(({ etag, timestamp }) => etag && timestamp)).toBe(true)
      const pages = await collect(list(ofPartition).byPage({ maxPageSize: 5 }))
      expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 1])
      expect(pages.flat().map(({ rowKey }) => rowKey)).toEqual(all.map(({ rowKey }) => rowKey))
      expect(await collect(list(odata`foo eq ${'listed'}`))).toHaveLength(20)
      expect(await collect(list(odata`RowKey eq ${'binary1'}`))).toHaveLength(1)
      const { continuationToken = '' } = pages[3] ?? {}
      const { value } = await list(ofPartition).byPage({ maxPageSize: 5, continuationToken }).next()
      expect(value.map((row: { rowKey?: string }) => row.rowKey)).toEqual(['binary1'])
    })

    it("reads the other package's continuation tokens", async () => {
      const filter = odata`PartitionKey eq ${'listed'}`
      const list = (one: Client) => one.listEntities({ queryOptions: { filter } })
      const [first] = await collect(list(client).byPage({ maxPageSize: 15 }))
      for (const other of Object.values(packages)) {
        const text = service.connectionString
        const [reader] = CREDENTIALS['a connection string']!(other, text, client.tableName)
        const { continuationToken = '' } = first ?? {}
        const rest = await collect(list(reader).byPage({ continuationToken }))
        expect(rest.flat()).toHaveLength(6)
      }
    })

    it.each(SPECIAL)('stores keys and values with %s', async (char) => {
      const partitionKey = `foo${char}`
      const rowKey = `${char}bar`
      const entity = { partitionKey, rowKey, value: `test${char}` }
      expect(await client.createEntity(entity)).toBeDefined()
      for (const mode of ['Merge', 'Replace'] as const) {
        expect((await client.upsertEntity(entity, mode)).etag).toBeDefined()
        expect((await client.updateEntity(entity, mode)).etag).toBeDefined()
      }
      expect(await client.getEntity(partitionKey, rowKey)).toMatchObject(entity)
      for (const filter of [odata`PartitionKey eq ${partitionKey}`, odata`RowKey eq ${rowKey}`]) {
        const [found] = await collect(client.listEntities({ queryOptions: { filter } }))
        expect(found).toMatchObject(entity)
      }
      expect(await client.deleteEntity(partitionKey, rowKey)).toBeTruthy()
    })

    it('stores special characters in transactions', async () => {
      const partitionKey = "foo'"
      const rows = SPECIAL.map((char) => ({ partitionKey, rowKey: `${char}bar`, value: char }))
      const submit = (toAction: (row: (typeof rows)[0]) => official.TransactionAction) =>
        client.submitTransaction(rows.map(toAction))
      expect((await submit((row) => ['create', row])).status).toBe(202)
      for (const mode of ['Merge', 'Replace'] as const) {
        expect((await submit((row) => ['upsert', row, mode])).status).toBe(202)
        expect((await submit((row) => ['update', row, mode])).status).toBe(202)
      }
      const filter = odata`PartitionKey eq ${partitionKey}`
      expect(await collect(client.listEntities({ queryOptions: { filter } }))).toHaveLength(21)
      for (const row of rows) {
        expect(await client.getEntity(partitionKey, row.rowKey)).toMatchObject(row)
      }
      expect((await submit((row) => ['delete', row])).status).toBe(202)
    })

    it('submits transactions of every kind', async () => {
      const partitionKey = 'batch'
      const rows = ['1', '2', '3'].map((rowKey) => ({ partitionKey, rowKey, name: rowKey }))
      const created = await client.submitTransaction(rows.map((row) => ['create', row]))
      expect([created.status, created.subResponses.length]).toEqual([202, 3])
      for (const { rowKey } of rows) {
        const one = created.getResponseForEntity(rowKey)
        expect(one).toMatchObject({ status: 204, etag: expect.stringContaining(`W/"datetime'`) })
      }
      const conditional: official.TransactionAction[] = []
      for (const row of rows) {
        const { etag } = await client.getEntity(partitionKey, row.rowKey)
        conditional.push(['update', { ...row, name: 'updated' }, 'Replace', { etag }])
      }
      expect((await client.submitTransaction(conditional)).subResponses).toHaveLength(3)
      // The same versions once more.
      await expect(client.submitTransaction(conditional)).rejects.toMatchObject({ statusCode: 412 })
      const upserted = [...rows, { partitionKey, rowKey: '4', name: '' }].map(
        (row): official.TransactionAction => ['upsert', { ...row, name: 'upserted' }, 'Replace'],
      )
      const { subResponses } = await client.submitTransaction(upserted)
      expect(subResponses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
      const filter = odata`PartitionKey eq ${partitionKey}`
      const names = (await collect(client.listEntities({ queryOptions: { filter } }))).map(
        ({ name }) => name,
      )
      expect(names).toEqual(['upserted', 'upserted', 'upserted', 'upserted'])
      const deleted = await client.submitTransaction(rows.map((row) => ['delete', row]))
      expect(deleted.subResponses.map(({ status }) => status)).toEqual([204, 204, 204])
    })

    it('submits transactions at the same time, and with empty keys', async () => {
      const keys = ['rk1', 'rk2']
      await Promise.all(
        keys.map((rowKey) =>
          client.submitTransaction([['create', { partitionKey: 'pk22', rowKey }]]),
        ),
      )
      for (const rowKey of keys) {
        expect((await client.getEntity('pk22', rowKey)).rowKey).toBe(rowKey)
      }
      const empty = { partitionKey: '', rowKey: '' }
      await client.submitTransaction([['create', { ...empty, value: '' }]])
      await client.submitTransaction([['update', { ...empty, value: 'updated' }]])
      expect((await client.getEntity('', '')).value).toBe('updated')
      await client.submitTransaction([['upsert', { ...empty, value: 'upserted' }]])
      expect((await client.getEntity('', '')).value).toBe('upserted')
    })

    it('has the code and the status of a change that failed', async () => {
      const text = service.connectionString
      const [missing] = CREDENTIALS['a connection string']!(tables, text, 'notThere')
      const entity = { partitionKey: 'p', rowKey: '1' }
      await expect(missing.submitTransaction([['create', entity]])).rejects.toMatchObject({
        code: 'TableNotFound',
        statusCode: 404,
        message: expect.any(String),
      })
      const mixed: official.TransactionAction[] = [
        ['create', entity],
        ['create', { ...entity, partitionKey: 'q' }],
      ]
      await expect(client.submitTransaction(mixed)).rejects.toThrow(/artition/)
    })

    it('has overloads of updateEntity', () => {
      const transaction = new tables.TableTransaction()
      const entity = { partitionKey: '1', rowKey: '1' }
      transaction.updateEntity(entity)
      transaction.updateEntity(entity, 'Replace')
      transaction.updateEntity(entity, { etag: 'e' })
      transaction.updateEntity(entity, 'Merge', { etag: 'e' })
      expect(transaction.actions).toEqual([
        ['update', entity, 'Merge', {}],
        ['update', entity, 'Replace', {}],
        ['update', entity, 'Merge', { etag: 'e' }],
        ['update', entity, 'Merge', { etag: 'e' }],
      ])
    })

    it('sets and gets access policies, whole and partial', async () => {
      const date = new Date('2021-07-08T09:10:09Z')
      const full = { start: date, expiry: date, permission: 'r' }
      const policies = [
        { id: 'full', accessPolicy: full },
        { id: 'null' },
        { id: 'empty', accessPolicy: {} },
        { id: 'partial', accessPolicy: { permission: 'r' } },
      ]
      // Azurite rejects a policy without both times from both packages.
      const accepted = name === 'Azurite' ? policies.slice(0, 1) : policies
      await client.setAccessPolicy(accepted)
      const stored = await client.getAccessPolicy()
      expect([...stored]).toEqual(
        accepted.map(({ id, accessPolicy = {} }) => ({ id, accessPolicy })),
      )
    })

    it('lists tables: all, by page, with a filter, and from a token', async () => {
      const names = Array.from({ length: 5 }, (_, n) => `list${count}x${n}`)
      for (const name of names) await account.createTable(name)
      const namesOf = (items: readonly official.TableItem[]) => items.map(({ name }) => name)
      expect(namesOf(await collect(account.listTables()))).toEqual(expect.arrayContaining(names))
      const pages = await collect(account.listTables().byPage({ maxPageSize: 2 }))
      expect(pages.every(({ length }) => length <= 2)).toBe(true)
      expect(namesOf(pages.flat())).toEqual(expect.arrayContaining(names))
      const queryOptions = { filter: odata`TableName eq ${names[1] ?? ''}` }
      expect(await collect(account.listTables({ queryOptions }))).toHaveLength(1)
      expect((await collect(account.listTables({ queryOptions }).byPage())).flat()).toHaveLength(1)
      const { continuationToken = '' } = pages.at(-2) ?? {}
      const last = await collect(account.listTables().byPage({ maxPageSize: 2, continuationToken }))
      expect(namesOf(last.flat())).toEqual(namesOf(pages.at(-1) ?? []))
      for (const name of names) await account.deleteTable(name)
    })
  })
})

describe.each(Object.entries(packages))('without a service, the %s package', (_package, tables) => {
  const { TableClient, TableServiceClient, odata } = tables
  const conflict = (code: string) => ({
    name: code,
    sendRequest: async (request: official.RestError['request'] & object) => {
      const parsedBody = { odataError: { code } }
      const headers = createHttpHeaders()
      const response = { headers, request, status: 409, bodyAsText: '', parsedBody }
      throw new RestError(code, { statusCode: 409, response })
    },
  })
  const clients = [
    () => {
      const client = new TableClient('https://foo.table.core.windows.net', 'testTable')
      return { client, create: client.createTable.bind(client) }
    },
    () => {
      const client = new TableServiceClient('https://foo.table.core.windows.net')
      const create = (options: official.SetPropertiesOptions) => client.createTable('test', options)
      return { client, create }
    },
  ]

  it.each(clients)('does not fail when a policy says that the table exists', async (open) => {
    const { client, create } = open()
    client.pipeline.addPolicy(conflict('TableAlreadyExists'))
    const { seen, onResponse } = statusOf()
    await create({ onResponse })
    expect(seen.status).toBe(409)
  })

  it.each(clients)('fails when a policy says something else', async (open) => {
    const { client, create } = open()
    client.pipeline.addPolicy(conflict('TableBeingDeleted'))
    await expect(create({})).rejects.toMatchObject({ statusCode: 409 })
  })

  const responding = (status: number): HttpClient => ({
    sendRequest: async (request) => ({ headers: createHttpHeaders(), request, status }),
  })

  it('deletes a table that does not exist, and fails with any other error', async () => {
    const options = (status: number) => ({ httpClient: responding(status) })
    const url = 'https://example.org'
    await new TableClient(url, 'fakeTable', options(404)).deleteTable()
    await new TableServiceClient(url, options(404)).deleteTable('fakeTable')
    await expect(new TableClient(url, 'fakeTable', options(400)).deleteTable()).rejects.toThrow()
    const service = new TableServiceClient(url, options(400))
    await expect(service.deleteTable('fakeTable')).rejects.toThrow()
  })

  it('writes filters', () => {
    expect(odata``).toBe('')
    expect(odata`Foo`).toBe('Foo')
    expect(odata`test number ${4}`).toBe('test number 4')
    expect(odata`test boolean ${true}`).toBe('test boolean true')
    expect(odata`test string ${'FooBar'}`).toBe("test string 'FooBar'")
    expect(odata`test string ${'"FooBar"'}`).toBe(`test string '"FooBar"'`)
    expect(odata`test lt ${new Date(1)}`).toBe("test lt datetime'1970-01-01T00:00:00.001Z'")
  })

  it('makes the same SAS', () => {
    const key = new tables.AzureNamedKeyCredential('keyName', 'keySecret')
    const expiresOn = new Date('2099-12-12')
    const made = ({ generateTableSas, generateAccountSas }: DataTables) =>
      [
        generateTableSas('testTable', key, { expiresOn }),
        generateTableSas('testTable', key, { expiresOn, startPartitionKey: 'P', startRowKey: '1' }),
        generateTableSas('testTable', key, { expiresOn, endPartitionKey: 'P', endRowKey: '1' }),
        generateTableSas('testTable', key, { expiresOn, permissions: { add: true, delete: true } }),
        generateTableSas('testTable', key, { identifier: 'Mine', version: '2019-02-02' }),
        generateAccountSas(key, { expiresOn }),
        generateAccountSas(key, { expiresOn, permissions: { add: true, delete: true } }),
      ].map(allowedBy)
    expect(made(tables)).toEqual(made(official))
  })
})

/** What a SAS allows. Ours names both protocols, which is what none means, so the signatures differ. */
function allowedBy(text: string) {
  const { sig, spr = 'https,http', ...rest } = Object.fromEntries(new URLSearchParams(text))
  return { ...rest, spr, isSigned: sig !== undefined }
}
