import { odata, RestError, TableClient, TableServiceClient } from '@azure/data-tables'
import { startLocalService } from '@rowkey/local'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** The same program on both, so that an expectation is not only our own opinion of the service. */
const services: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

interface Customer {
  partitionKey: string
  rowKey: string
  [property: string]: unknown
}

const customer = (lastName: string, firstName: string, more: object = {}): Customer => ({
  partitionKey: lastName,
  rowKey: firstName,
  ...more,
})

/** The error of a promise that must reject, as the official client reports it. */
async function failureOf(work: Promise<unknown>): Promise<RestError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof RestError)) expect.fail(`expected a RestError, received ${String(error)}`)
  return error
}

/** Status and service code, as programs branch on them. */
const summaryOf = ({ statusCode, details }: RestError) => [
  statusCode,
  (details as { odataError?: { code?: string } } | undefined)?.odataError?.code,
]

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe.each(Object.entries(services))('@azure/data-tables on %s', (_, start) => {
  let service: Service
  let table: TableClient
  let count = 0

  beforeAll(async () => {
    service = await start()
  })

  afterAll(() => service.close())

  beforeEach(async () => {
    count += 1
    table = open(`customers${count}`)
    await table.createTable()
  })

  const open = (name: string) =>
    TableClient.fromConnectionString(service.connectionString, name, {
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    })

  it('creates, lists and deletes tables', async () => {
    const account = TableServiceClient.fromConnectionString(service.connectionString, {
      allowInsecureConnection: true,
    })
    await account.createTable('peopleOfOldTown')
    const named = () =>
      collect(
        account.listTables({ queryOptions: { filter: odata`TableName eq 'peopleOfOldTown'` } }),
      )
    expect(await named()).toMatchObject([{ name: 'peopleOfOldTown' }])
    await account.deleteTable('peopleOfOldTown')
    expect(await named()).toEqual([])
  })

  it('keeps a value of each type', async () => {
    const values = {
      email: 'jeffs@contoso.com',
      age: 41,
      points: 9_007_199_254_740_993n,
      rating: { type: 'Double', value: 4 },
      height: 1.85,
      active: true,
      since: new Date('2014-08-22T00:50:30.123Z'),
      card: { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' },
      print: Uint8Array.of(0, 127, 128, 255),
    }
    await table.createEntity(customer('Smith', 'Jeff', values))
    const read = await table.getEntity('Smith', 'Jeff')
    expect(read).toMatchObject({ ...values, rating: 4, print: Buffer.from(values.print) })
    const exact = await table.getEntity('Smith', 'Jeff', { disableTypeConversion: true })
    expect(exact).toMatchObject({
      points: { type: 'Int64', value: '9007199254740993' },
      // The service says 4.0; this client takes every whole number for an Int32.
      rating: { value: '4' },
      height: { type: 'Double', value: '1.85' },
      since: { type: 'DateTime', value: '2014-08-22T00:50:30.123Z' },
      card: { type: 'Guid', value: values.card.value },
      print: { type: 'Binary', value: 'AH+A/w==' },
    })
  })

  it('keeps keys and text of any script', async () => {
    const name = { quote: "O'Brien", plain: 'Ünï çødé', script: '日本語 😀' }
    await table.createEntity(customer("D'Ürer", '画家 100% & +', name))
    expect(await table.getEntity("D'Ürer", '画家 100% & +')).toMatchObject(name)
    await table.deleteEntity("D'Ürer", '画家 100% & +')
    expect(await collect(table.listEntities())).toEqual([])
  })

  it('filters by every type', async () => {
    await table.createEntity(
      customer('Smith', 'Jeff', {
        age: 41,
        points: 5_000_000_000n,
        rating: 4.5,
        active: true,
        since: new Date(Date.UTC(2014, 7, 22)),
        card: { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' },
      }),
    )
    await table.createEntity(customer('Smith', 'Ben', { age: 20, active: false }))
    const found = async (filter: string) =>
      (await collect(table.listEntities({ queryOptions: { filter } }))).map((e) => e.rowKey)
    const since = new Date(Date.UTC(2014, 0))
    expect(await found(odata`PartitionKey eq ${'Smith'} and RowKey gt ${'Ben'}`)).toEqual(['Jeff'])
    expect(await found(odata`age ge ${41}`)).toEqual(['Jeff'])
    // The tag of the client writes a bigint without the L that the service wants beyond 32 bits.
    expect(await found('points gt 4000000000L')).toEqual(['Jeff'])
    expect(await found(odata`rating lt ${4.75}`)).toEqual(['Jeff'])
    expect(await found(odata`active eq ${false}`)).toEqual(['Ben'])
    expect(await found(odata`since ge ${since}`)).toEqual(['Jeff'])
    expect(await found("card eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'")).toEqual(['Jeff'])
    expect(await found('not (age lt 30) or active eq false')).toEqual(['Ben', 'Jeff'])
  })

  it('selects properties', async () => {
    await table.createEntity(customer('Smith', 'Jeff', { age: 41, email: 'jeffs@contoso.com' }))
    const [row] = await collect(table.listEntities({ queryOptions: { select: ['email'] } }))
    expect(row).toMatchObject({ email: 'jeffs@contoso.com' })
    expect(row).not.toHaveProperty('age')
  })

  it('pages by size and goes on from a continuation token', async () => {
    for (const name of ['Ben', 'Jeff', 'Ken', 'Lisa', 'Walter']) {
      await table.createEntity(customer('Smith', name))
    }
    const pages = table.listEntities().byPage({ maxPageSize: 2 })
    const first = await pages.next()
    const rest = table.listEntities().byPage({
      maxPageSize: 2,
      continuationToken: first.value.continuationToken,
    })
    const sizes = [first.value, ...(await collect(rest))].map((page) => page.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  it('gets more than 1,000 entities in pages of 1,000', async () => {
    for (let start = 0; start < 1100; start += 100) {
      const names = Array.from({ length: 100 }, (_, i) => String(start + i).padStart(5, '0'))
      await table.submitTransaction(names.map((name) => ['create', customer('Sales', name)]))
    }
    const sizes: number[] = []
    for await (const page of table.listEntities().byPage()) sizes.push(page.length)
    expect(sizes).toEqual([1000, 100])
  })

  it('merges, replaces and upserts', async () => {
    const read = async () => {
      const { age, city } = await table.getEntity('Smith', 'Jeff')
      return { age, city }
    }
    await table.createEntity(customer('Smith', 'Jeff', { age: 41 }))
    await table.updateEntity(customer('Smith', 'Jeff', { city: 'Bonn' }), 'Merge')
    expect(await read()).toEqual({ age: 41, city: 'Bonn' })
    await table.updateEntity(customer('Smith', 'Jeff', { age: 42 }), 'Replace')
    expect(await read()).toEqual({ age: 42, city: undefined })
    await table.upsertEntity(customer('Smith', 'Jeff', { city: 'Trier' }), 'Merge')
    expect(await read()).toEqual({ age: 42, city: 'Trier' })
    await table.upsertEntity(customer('Smith', 'Jeff', { age: 43 }), 'Replace')
    expect(await read()).toEqual({ age: 43, city: undefined })
    await table.upsertEntity(customer('Smith', 'Ben', { age: 20 }), 'Merge')
    expect(await collect(table.listEntities())).toHaveLength(2)
  })

  it('gives each write a new ETag and refuses a stale one', async () => {
    const { etag } = await table.createEntity(customer('Smith', 'Jeff', { age: 41 }))
    if (etag === undefined) expect.fail('no ETag')
    const changed = customer('Smith', 'Jeff', { age: 42 })
    const { etag: next } = await table.updateEntity(changed, 'Merge', { etag })
    expect(next).not.toBe(etag)
    const stale = [
      table.updateEntity(changed, 'Merge', { etag }),
      table.updateEntity(changed, 'Replace', { etag }),
      table.deleteEntity('Smith', 'Jeff', { etag }),
    ]
    for (const failure of await Promise.all(stale.map(failureOf))) {
      expect(summaryOf(failure)).toEqual([412, 'UpdateConditionNotSatisfied'])
    }
    await table.deleteEntity('Smith', 'Jeff', next === undefined ? {} : { etag: next })
    expect(await collect(table.listEntities())).toEqual([])
  })

  it('commits a transaction as a whole', async () => {
    await table.createEntity(customer('Smith', 'Jeff', { age: 41 }))
    await table.createEntity(customer('Smith', 'Ben'))
    const { subResponses, status } = await table.submitTransaction([
      ['create', customer('Smith', 'Lisa')],
      ['update', customer('Smith', 'Jeff', { city: 'Bonn' }), 'Merge'],
      ['upsert', customer('Smith', 'Ken', { age: 30 }), 'Replace'],
      ['delete', customer('Smith', 'Ben')],
    ])
    expect(status).toBe(202)
    expect(subResponses.map((response) => response.status)).toEqual([204, 204, 204, 204])
    expect(subResponses.map((response) => response.etag !== undefined)).toEqual([
      true,
      true,
      true,
      false,
    ])
    const rows = await collect(table.listEntities())
    expect(rows.map((row) => row.rowKey)).toEqual(['Jeff', 'Ken', 'Lisa'])
    expect(rows[0]).toMatchObject({ age: 41, city: 'Bonn' })
  })

  it('undoes a transaction whose second change fails, and says which', async () => {
    await table.createEntity(customer('Smith', 'Jeff'))
    const work = table.submitTransaction([
      ['create', customer('Smith', 'Lisa')],
      ['create', customer('Smith', 'Jeff')],
    ])
    const failure = await failureOf(work)
    expect(failure.statusCode).toBe(409)
    expect(failure.code).toBe('EntityAlreadyExists')
    const rows = await collect(table.listEntities())
    expect(rows.map((row) => row.rowKey)).toEqual(['Jeff'])
  })

  it('answers with the codes of the service', async () => {
    const missing = open('customersMissing')
    await table.createEntity(customer('Smith', 'Jeff'))
    const failures = [
      table.createEntity(customer('Smith', 'Jeff')),
      table.getEntity('Smith', 'Zoe'),
      table.updateEntity(customer('Smith', 'Zoe'), 'Merge'),
      table.deleteEntity('Smith', 'Zoe'),
      missing.createEntity(customer('Smith', 'Jeff')),
      collect(missing.listEntities()),
    ]
    const seen = await Promise.all(failures.map(failureOf))
    expect(seen.map(summaryOf)).toEqual([
      [409, 'EntityAlreadyExists'],
      [404, 'ResourceNotFound'],
      [404, 'ResourceNotFound'],
      [404, 'ResourceNotFound'],
      [404, 'TableNotFound'],
      [404, 'TableNotFound'],
    ])
  })

  it('refuses a wrong key', async () => {
    const wrong = service.connectionString.replace(/AccountKey=[^;]*/, 'AccountKey=d3Jvbmc=')
    const stranger = TableClient.fromConnectionString(wrong, table.tableName, {
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    })
    expect((await failureOf(stranger.getEntity('Smith', 'Jeff'))).statusCode).toBe(403)
  })
})
