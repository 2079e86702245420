import { odata, TableClient, TableTransaction } from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { openPeople } from './open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('TableClient', () => {
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

  it('an insert returns the entity when a custom header asks for it', async () => {
    const { people } = await openPeople()
    const requestOptions = { customHeaders: { Prefer: 'return-content' } }
    const created = await people.createEntity({ ...row, n: 1 }, { requestOptions })
    const { etag } = await people.getEntity('p', 'r')
    expect(created).toMatchObject({ etag, Timestamp: expect.any(String), PartitionKey: 'p', n: 1 })
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

  it('an aborted signal ends a call', async () => {
    const { people } = await openPeople()
    const abortSignal = AbortSignal.abort()
    await expect(people.getEntity('p', 'r', { abortSignal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
