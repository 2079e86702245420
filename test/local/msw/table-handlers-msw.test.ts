import { createHash } from 'node:crypto'
import http from 'node:http'
import { localTableService } from '@rowkey/local'
import { tableHandlers } from '@rowkey/local/msw'
import { InputError } from '@rowkey/odata'
import {
  createTable,
  fetchTransport,
  findEntity,
  insertEntity,
  perform,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { jeff } from '../../rest/people.ts'
import { ACCOUNT, KEY, sign } from '../../support/local-conversation.ts'

const local = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }] })
const server = setupServer(...tableHandlers(local))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => local.reset())
afterAll(async () => {
  server.close()
  await local.close()
})

const AZURE = `AccountName=${ACCOUNT};AccountKey=${KEY};EndpointSuffix=core.windows.net`
const clientOf = (connectionString: string) =>
  tableService({ connectionString, transport: fetchTransport(), sleep: async () => {} })

const signed = (resource: string) => {
  const date = new Date().toUTCString()
  return {
    'x-ms-date': date,
    accept: 'application/json;odata=nometadata',
    authorization: `SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}${resource}`)}`,
  }
}

describe('tableHandlers', () => {
  it.each([
    ['the host of Azure', AZURE],
    ['an emulator', `${AZURE};TableEndpoint=http://127.0.0.1:10002/${ACCOUNT}`],
    ['the address of the service in the process', local.connectionString()],
  ])('connect the fetch transport to the service at %s', async (_, connectionString) => {
    const service = clientOf(connectionString)
    await perform(service, createTable, { table: 'people' })
    const odd = {
      table: 'people',
      key: { partitionKey: "O'Neil (é) 100%", rowKey: '😀 +&=,;' },
      body: `{"PartitionKey":"O'Neil (é) 100%","RowKey":"😀 +&=,;","text":"ü"}`,
    }
    await perform(service, insertEntity, odd)
    expect((await perform(service, findEntity, odd))?.raw).toMatchObject({ text: 'ü' })
  })

  it('connect plain fetch and node:http, with every verb', async () => {
    const base = `https://${ACCOUNT}.table.core.windows.net`
    const created = await fetch(`${base}/Tables`, {
      method: 'POST',
      headers: { ...signed('/Tables'), 'content-type': 'application/json' },
      body: '{"TableName":"people"}',
    })
    expect([created.status, await created.json()]).toEqual([201, { TableName: 'people' }])
    const path = "/people(PartitionKey='a',RowKey='b')"
    const merged = await fetch(`${base}${path}`, {
      method: 'MERGE',
      headers: { ...signed(path), 'content-type': 'application/json' },
      body: '{"n":1}',
    })
    expect([merged.status, await merged.text()]).toEqual([204, ''])
    const url = `http://127.0.0.1:10002/${ACCOUNT}${path}`
    const status = await new Promise((resolve, reject) => {
      http
        .get(url, { headers: signed(`/${ACCOUNT}${path}`) }, (response) =>
          resolve(response.statusCode),
        )
        .on('error', reject)
    })
    expect(status).toBe(200)
  })

  it('serve the secondary, and check signatures', async () => {
    const response = await fetch(`https://${ACCOUNT}-secondary.table.core.windows.net/Tables`, {
      headers: { ...signed('/Tables'), authorization: `SharedKeyLite ${ACCOUNT}:AAAA` },
    })
    expect(response.status).toBe(403)
    expect(local.requests.entries()).toMatchObject([{ location: 'secondary', status: 403 }])
  })

  it('ignore other accounts and other hosts', async () => {
    for (const url of [
      'https://fabrikam.table.core.windows.net/Tables',
      `https://${ACCOUNT}.table.core.windows.net.example.com/Tables`,
      `http://127.0.0.1:10002/${ACCOUNT}x/Tables`,
    ]) {
      // Unhandled requests are errors here; otherwise they would go to the network.
      await expect(fetch(url)).rejects.toThrow()
    }
    expect(local.requests.count).toBe(0)
  })

  it('pass a body on unchanged, including a byte order mark', async () => {
    const body = '\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties />'
    const query = 'comp=properties'
    const response = await fetch(
      `https://${ACCOUNT}.table.core.windows.net/?restype=service&${query}`,
      {
        method: 'PUT',
        headers: {
          ...signed(`/?${query}`),
          'content-md5': createHash('md5').update(body).digest('base64'),
        },
        body,
      },
    )
    expect(response.status).toBe(202)
  })

  it('turn a lost response into a network error, which the client survives', async () => {
    const service = clientOf(AZURE)
    await perform(service, createTable, { table: 'people' })
    const lost = local.faults.add({ nth: 1, fault: { kind: 'lost response' } })
    await perform(service, insertEntity, jeff)
    expect(lost.fired).toBe(1)
    expect((await perform(service, findEntity, jeff))?.raw).toMatchObject({ RowKey: 'Jeff' })
  })

  it('serve more origins', async () => {
    const other = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }] })
    server.use(...tableHandlers(other, { origins: ['https://tables.example.com'] }))
    expect((await fetch(`https://tables.example.com/${ACCOUNT}/Tables`)).status).toBe(403)
    expect(other.requests.count).toBe(1)
    server.resetHandlers()
  })

  it.each([{ origins: ['tables.example.com'] }, { origins: [7] }, { origin: 'http://a' }])(
    'reject %o',
    (options) => {
      expect(() => tableHandlers(local, options as object)).toThrow(InputError)
    },
  )

  it('do not see the undici transport, which msw does not intercept', async () => {
    const listening = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }] })
    const { connectionString, port } = await listening.listen({ port: 0 })
    server.use(...tableHandlers(local, { origins: [`http://127.0.0.1:${port}`] }))
    const transport = undiciTransport()
    await perform(tableService({ connectionString, transport }), createTable, { table: 'people' })
    expect([listening.requests.count, local.requests.count]).toEqual([1, 0])
    await perform(clientOf(connectionString), createTable, { table: 'people' })
    expect([listening.requests.count, local.requests.count]).toEqual([1, 1])
    await transport.close?.()
    await listening.close()
    server.resetHandlers()
  })
})
