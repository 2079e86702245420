import { AzureNamedKeyCredential, AzureSASCredential } from '@azure/core-auth'
import * as official from '@azure/data-tables'
import * as ours from '@rowkey/data-tables'
import { startLocalService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataTables, Face } from './data-tables-face.ts'
import { collect, seen, withoutVersions } from './seen.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const packages: Readonly<Record<string, DataTables>> = { official, ours }

const EVERY_TYPE = {
  partitionKey: "O'Brien",
  rowKey: 'é %25 a',
  text: 'quote " and \u{1f600}',
  empty: '',
  yes: true,
  whole: 41,
  half: 4.5,
  big: 9_007_199_254_740_993n,
  since: new Date(Date.UTC(2020, 1, 3, 4, 5, 6, 789)),
  bytes: new Uint8Array([10, 11, 12]),
  card: { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' },
  long: { type: 'Int64', value: '12345678901' },
  rate: { type: 'Double', value: 5.5 },
  nothing: undefined,
}

interface Program {
  readonly client: Face<official.TableClient>
  readonly tables: DataTables
  readonly connectionString: string
}

/** Programs that use the package as its users do; both must see the same. */
const PROGRAMS: Readonly<Record<string, (program: Program) => Promise<unknown>>> = {
  'every type, as written and as read': async ({ client }) => {
    const key = [EVERY_TYPE.partitionKey, EVERY_TYPE.rowKey] as const
    return [
      await seen(() => client.createEntity(EVERY_TYPE)),
      await seen(() => client.getEntity(...key)),
      await seen(() => client.getEntity(...key, { disableTypeConversion: true })),
      await seen(() => client.getEntity(...key, { queryOptions: { select: ['whole', 'big'] } })),
      await seen(() => collect(client.listEntities())),
    ]
  },
  'errors of single writes': async ({ client }) => {
    const entity = { partitionKey: 'p', rowKey: 'r', n: 1 }
    await client.createEntity(entity)
    const { etag } = await client.getEntity('p', 'r')
    await client.updateEntity({ ...entity, n: 2 })
    return [
      await seen(() => client.createEntity(entity)),
      await seen(() => client.getEntity('p', 'missing')),
      await seen(() => client.updateEntity({ ...entity, rowKey: 'missing' })),
      await seen(() => client.updateEntity(entity, 'Replace', { etag })),
      await seen(() => client.deleteEntity('p', 'r', { etag })),
      await seen(() => client.deleteEntity('p', 'missing')),
    ]
  },
  'updates and upserts, merged and replaced': async ({ client }) => {
    const row = { partitionKey: 'p', rowKey: 'r' }
    const states: unknown[] = []
    const record = async () => states.push(await seen(() => client.getEntity('p', 'r')))
    await client.upsertEntity({ ...row, a: 1 })
    await record()
    await client.upsertEntity({ ...row, b: 2 })
    await record()
    await client.upsertEntity({ ...row, c: 3 }, 'Replace')
    await record()
    await client.updateEntity({ ...row, d: 4 })
    await record()
    await client.updateEntity({ ...row, e: 5 }, 'Replace')
    await record()
    return states
  },
  'transactions, committed and refused': async ({ client, tables }) => {
    const row = (rowKey: string, n: number) => ({ partitionKey: 'p', rowKey, n })
    await client.createEntity(row('a', 1))
    const transaction = new tables.TableTransaction()
    transaction.createEntity(row('b', 2))
    transaction.updateEntity(row('a', 3), 'Replace')
    transaction.upsertEntity(row('c', 4))
    const committed = await client.submitTransaction(transaction.actions)
    const refused = await seen(() =>
      client.submitTransaction([
        ['delete', row('a', 0)],
        ['create', row('b', 0)],
      ]),
    )
    return [
      committed.status,
      committed.subResponses.map(({ status }) => status),
      // The official client knows the RowKeys of inserts alone.
      committed.getResponseForEntity('b')?.status,
      (refused as { statusCode: number }).statusCode,
      await seen(() => collect(client.listEntities())),
    ]
  },
  'filters and pages': async ({ client, tables: { odata } }) => {
    for (let n = 0; n < 7; n++) {
      await client.createEntity({ partitionKey: `p${n % 2}`, rowKey: `r${n}`, n, on: new Date(n) })
    }
    const rows = async (filter: string) =>
      (await collect(client.listEntities({ queryOptions: { filter } }))).map((row) => row.rowKey)
    const queryOptions = { filter: odata`n ge ${1}` }
    const sizes: number[] = []
    for await (const page of client.listEntities({ queryOptions }).byPage({ maxPageSize: 4 })) {
      sizes.push(page.length)
    }
    return [
      await rows(odata`PartitionKey eq ${'p0'}`),
      await rows(odata`PartitionKey eq 'p${1}' and n lt ${5}`),
      await rows(odata`on gt ${new Date(4)}`),
      await rows(odata`name eq ${"O'Brien"} or n eq ${3}`),
      await seen(() => rows('n eq eq 3')),
      sizes,
    ]
  },
  'tables, created and deleted twice': async ({ client, tables, connectionString }) => {
    const service = tables.TableServiceClient.fromConnectionString(connectionString, {
      allowInsecureConnection: true,
    })
    const name = `${client.tableName}x`
    const filter = tables.odata`TableName eq ${name}`
    const names = () => seen(() => collect(service.listTables({ queryOptions: { filter } })))
    await service.createTable(name)
    await service.createTable(name)
    const before = await names()
    await service.deleteTable(name)
    await service.deleteTable(name)
    return [
      (before as unknown[]).length,
      await names(),
      await seen(() =>
        tables.TableClient.fromConnectionString(connectionString, 'missing', {
          allowInsecureConnection: true,
        }).getEntity('p', 'r'),
      ),
    ]
  },
  'shared access signatures': async ({ client, tables }) => {
    await client.createEntity({ partitionKey: 'p', rowKey: 'r', n: 1 })
    const key = new tables.AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
    const sas = tables.generateTableSas(client.tableName, key, {
      permissions: { query: true },
      expiresOn: new Date(Date.UTC(2099, 0)),
    })
    const options = { allowInsecureConnection: true }
    const credential = new tables.AzureSASCredential(sas)
    const reader = new tables.TableClient(client.url, client.tableName, credential, options)
    return seen(() => reader.getEntity('p', 'r'))
  },
}

/** What a program can read of each kind of result: the names, in their order. */
const FACES: Readonly<Record<string, (program: Program) => Promise<unknown>>> = {
  'the details of an error': async ({ client }) => {
    const error = (await client.getEntity('p', 'missing').catch((thrown: unknown) => thrown)) as {
      details: Readonly<Record<string, unknown>>
    }
    return [Object.keys(error.details).sort(), error.details.errorCode]
  },
  'the names of an entity, in their order': async ({ client }) => {
    await client.createEntity({ partitionKey: 'p', rowKey: 'r', zeta: 1, alpha: 2 })
    // Azurite puts the Timestamp last.
    const names = (row: object) => Object.keys(row).filter((name) => name !== 'timestamp')
    const [listed = {}] = await collect(client.listEntities())
    return [names(await client.getEntity('p', 'r')), names(listed)]
  },
  'a selected property that a row does not have': async ({ client }) => {
    await client.createEntity({ partitionKey: 'p', rowKey: 'r', a: 1 })
    const queryOptions = { select: ['partitionKey', 'rowKey', 'missing', 'a'] }
    const row = await client.getEntity('p', 'r', { queryOptions })
    const typed = await client.getEntity('p', 'r', { queryOptions, disableTypeConversion: true })
    await client.updateEntity({ ...row, partitionKey: 'p', rowKey: 'r', b: 2 })
    const listed = await collect(client.listEntities({ queryOptions }))
    const stored = await client.getEntity('p', 'r')
    return [row, typed, ...listed, stored].map(withoutVersions)
  },
  'the SAS of addresses, times and keys': async ({ tables }) => {
    const key = new tables.AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
    const expiresOn = new Date(Date.UTC(2090, 0))
    const startsOn = new Date(Date.UTC(2020, 0))
    const ipRange = { start: '168.1.5.60', end: '168.1.5.70' }
    const keys = { startPartitionKey: 'a', startRowKey: '1', endPartitionKey: 'b', endRowKey: '2' }
    return [
      tables.generateTableSas('people', key, { expiresOn, startsOn, ipRange, protocol: 'https' }),
      tables.generateTableSas('people', key, { expiresOn, protocol: 'https', ...keys }),
      tables.generateAccountSas(key, { expiresOn, ipRange, protocol: 'https' }),
      tables.generateAccountSas(key, {
        expiresOn,
        startsOn,
        ipRange: { start: '1.2.3.4' },
        protocol: 'https',
      }),
    ].map((sas) => [...new URLSearchParams(sas)].map((pair) => pair.join('=')).sort())
  },
}

/** Programs with the calls of the official client's own samples. */
const SAMPLES: Readonly<Record<string, (program: Program) => Promise<unknown>>> = {
  'continuation tokens by hand': async ({ client }) => {
    const actions: official.TransactionAction[] = []
    for (let i = 0; i < 100; i++) {
      actions.push(['create', { partitionKey: 'one', rowKey: `${i}`, foo: i }])
    }
    await client.submitTransaction(actions)
    const keys: (string | undefined)[] = []
    let continuationToken: string | undefined
    for await (const page of client.listEntities().byPage({ maxPageSize: 2 })) {
      if (page.some(({ rowKey }) => rowKey === '50')) continuationToken = page.continuationToken
    }
    if (continuationToken === undefined) return 'no token'
    const pages = client.listEntities().byPage({ maxPageSize: 2, continuationToken })
    const page = await pages.next()
    if (!page.done) keys.push(...page.value.map(({ rowKey }) => rowKey))
    return keys
  },
  'bigint and Int64': async ({ client }) => {
    await client.createEntity<{ foo: bigint }>({ partitionKey: 'p1', rowKey: '1', foo: 12345n })
    const foo: official.Edm<'Int64'> = { value: '12345', type: 'Int64' }
    await client.createEntity({ partitionKey: 'p1', rowKey: '2', foo })
    const one = await client.getEntity<{ foo: bigint }>('p1', '1')
    const two = await client.getEntity('p1', '2', { disableTypeConversion: true })
    return [one.foo + 1n, two.foo]
  },
  'the first page as the top entities': async ({ client, tables: { odata } }) => {
    for (const [rowKey, name, price] of [
      ['1', 'Markers', 5],
      ['2', 'Planner', 7],
    ]) {
      const entity = { partitionKey: 'Stationery', rowKey: `${rowKey}`, name, price, quantity: 34 }
      await client.createEntity(entity)
    }
    const list = (filter: string) => client.listEntities({ queryOptions: { filter } })
    const pages = list(odata`PartitionKey eq ${'Stationery'}`).byPage({ maxPageSize: 1 })
    let top: unknown[] = []
    for await (const page of pages) {
      top = page.map(({ name }) => name)
      break
    }
    return [top, (await collect(list(odata`price le 6`))).map(({ name }) => name)]
  },
  'an account SAS, a table SAS and a SAS in the URL': async ({ client, tables }) => {
    // The samples take the credentials of another package.
    const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
    const permissions = { list: true, write: true, add: true, query: true, delete: true }
    const account = tables.generateAccountSas(key, { permissions })
    const options = { allowInsecureConnection: true }
    const credential = new AzureSASCredential(account)
    const service = new tables.TableServiceClient(client.url, credential, options)
    const name = `${client.tableName}s`
    await service.createTable(name)
    const listed = (await collect(service.listTables())).some((table) => table.name === name)
    const sas = tables.generateTableSas(name, key, {
      expiresOn: new Date(Date.now() + 3_600_000),
      permissions: { add: true, query: true, delete: true, update: true },
    })
    const table = new tables.TableClient(client.url, name, new AzureSASCredential(sas), options)
    await table.createEntity({ partitionKey: 'test', rowKey: '1', foo: 'bar' })
    const byUrl = new tables.TableClient(`${client.url}?${sas}`, name, options)
    const rows = (await collect(byUrl.listEntities())).map(({ foo }) => foo)
    await table.deleteEntity('test', '1')
    await service.deleteTable(name)
    return [listed, rows]
  },
  'a transaction built by its helper': async ({ client, tables }) => {
    const transaction = new tables.TableTransaction()
    for (const [rowKey, price] of [
      ['A1', 5],
      ['A2', 2],
      ['A3', 1.5],
    ] as const) {
      transaction.createEntity({ partitionKey: 'Stationery', rowKey, price, quantity: 21 })
    }
    const { status, subResponses } = await client.submitTransaction(transaction.actions)
    const update = new tables.TableTransaction()
    update.updateEntity({ partitionKey: 'Stationery', rowKey: 'A1', quantity: 1 }, 'Replace')
    update.upsertEntity({ partitionKey: 'Stationery', rowKey: 'A4' }, 'Merge')
    update.deleteEntity('Stationery', 'A2')
    await client.submitTransaction(update.actions)
    const left = await seen(() => collect(client.listEntities()))
    return [status, subResponses.map((one) => [one.status, one.rowKey, typeof one.etag]), left]
  },
}

const services: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

describe.each(Object.entries(services))('a program on %s', (_, start) => {
  let service: Service
  let count = 0

  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.close())

  it.each(Object.entries({ ...PROGRAMS, ...FACES, ...SAMPLES }))(
    'sees the same after its import changed: %s',
    async (_name, run) => {
      const results: Record<string, unknown> = {}
      for (const [name, tables] of Object.entries(packages)) {
        const { connectionString } = service
        const client = tables.TableClient.fromConnectionString(connectionString, `drop${++count}`, {
          allowInsecureConnection: true,
        })
        await client.createTable()
        results[name] = await run({ client, tables, connectionString })
      }
      expect(results.ours).toEqual(results.official)
    },
  )
})
