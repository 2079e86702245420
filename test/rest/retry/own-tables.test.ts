import {
  createTable,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  perform,
  queryTables,
  SharedKeyCredential,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const done = { status: 204 }
const noTable = { status: 404, body: '{"odata.error":{"code":"TableNotFound"}}' }
const gone = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }
const part = `--a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n${noTable.body.replace('"}}', '","message":{"value":"0:No."}}}')}\r\n--b--\r\n--a--\r\n`
const noTableInBatch = {
  status: 202,
  headers: { 'content-type': 'multipart/mixed; boundary=a' },
  body: part,
}

function scripted(...turns: readonly Turn[]) {
  let now = START
  const transport = scriptedTransport(...turns)
  const service = serviceOver(transport, { now: () => now })
  const wait = (time: number): void => {
    now += time
  }
  return { service, sent: () => transport.requests.length, wait }
}

const people = { table: 'people' }

describe('a table that this client has just created', () => {
  it('is retried while a part of the service does not know it yet', async () => {
    const { service, sent } = scripted(done, noTable, noTable, done)
    await perform(service, createTable, { table: 'People' })
    await perform(service, insertEntity, jeff)
    expect(sent()).toBe(4)
  })

  it('is not waited for by a call that deletes it', async () => {
    const { service, sent } = scripted(done, noTable)
    await perform(service, createTable, people)
    await expect(perform(service, deleteTable, people)).rejects.toMatchObject({ status: 404 })
    expect(sent()).toBe(2)
  })

  it('is retried in a transaction, too', async () => {
    const { service, sent } = scripted(done, noTableInBatch)
    await perform(service, createTable, people)
    const changes = [{ operation: insertEntity, input: jeff }]
    const batch = perform(service, entityGroupTransaction, { ...people, changes })
    await expect(batch).rejects.toMatchObject({ code: 'TableNotFound', attempts: 4 })
    expect(sent()).toBe(5)
  })

  it('is retried when others were created since', async () => {
    const { service, sent } = scripted(done, done, noTable, done)
    await perform(service, createTable, people)
    await perform(service, createTable, { table: 'orders' })
    await perform(service, insertEntity, jeff)
    expect(sent()).toBe(4)
  })

  it('is retried for ten seconds, and not after', async () => {
    const { service, sent, wait } = scripted(done, noTable, done, noTable)
    await perform(service, createTable, people)
    wait(10_000)
    await perform(service, insertEntity, jeff)
    expect(sent()).toBe(3)
    wait(1)
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
    expect(sent()).toBe(4)
  })

  it('is not retried after its deletion', async () => {
    const { service } = scripted(done, done, noTable)
    await perform(service, createTable, people)
    await perform(service, deleteTable, people)
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })

  it('does not affect missing entities and other tables', async () => {
    const { service } = scripted(done, gone, noTable)
    await perform(service, createTable, { table: 'orders' })
    const orders = { ...jeff, table: 'orders' }
    await expect(perform(service, getEntity, orders)).rejects.toMatchObject({ attempts: 1 })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })
})

describe('a table that another program created', () => {
  it('is not retried', async () => {
    const exists = { status: 409, body: '{"odata.error":{"code":"TableAlreadyExists"}}' }
    const { service } = scripted(exists, noTable)
    const { reconcile: _, ...create } = createTable
    const ifNotExists = {
      ...create,
      expects: ['TableAlreadyExists'],
      fromResponse: ({ status }: { status: number }) => status < 400,
    }
    expect(await perform(service, ifNotExists, people)).toBe(false)
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })

  it('is not learned from other operations', async () => {
    const { service } = scripted({ body: '{"value":[]}' }, noTable)
    await perform(service, queryTables, {})
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })
})

describe('a new table of Cosmos DB', () => {
  const attempts = async (created: string) => {
    const transport = scriptedTransport(done, gone)
    const service = tableService({
      endpoint: 'https://contoso.table.cosmos.azure.com',
      credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
      transport,
      now: () => START,
      sleep: async () => {},
    })
    await perform(service, createTable, { table: created })
    return perform(service, insertEntity, jeff).catch((error) => [error.name, error.attempts])
  }

  it('R-177: is retried by its name in the same case only', async () => {
    expect(await attempts('people')).toEqual(['TableNotFoundError', 4])
    expect(await attempts('People')).toEqual(['TableNotFoundError', 1])
  })
})
