import { TableClient, TableServiceClient, TableTransaction } from '@azure/data-tables'
import { localTableService } from '@rowkey/local'
import { tableHandlers } from '@rowkey/local/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const KEY = Buffer.from('a key that guards nothing').toString('base64')
const CONNECTION = `DefaultEndpointsProtocol=https;AccountName=contoso;AccountKey=${KEY};EndpointSuffix=core.windows.net`

describe('@azure/data-tables under msw', () => {
  const local = localTableService({ accounts: [{ name: 'contoso', key: KEY }] })
  const server = setupServer(...tableHandlers(local))
  const people = TableClient.fromConnectionString(CONNECTION, 'people')

  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(async () => {
    server.close()
    await local.close()
  })

  it('talks to the embedded service at the host of Azure, without a port', async () => {
    await people.createTable()
    await people.createEntity({ partitionKey: "O'Neil", rowKey: 'é 😀', n: 1n })
    const batch = new TableTransaction()
    for (const rowKey of ['a', 'b', 'c']) batch.createEntity({ partitionKey: 'p', rowKey })
    await people.submitTransaction(batch.actions)
    expect(await people.getEntity("O'Neil", 'é 😀')).toMatchObject({ n: 1n })
    const rowKeys: unknown[] = []
    for await (const { rowKey } of people.listEntities()) rowKeys.push(rowKey)
    expect(rowKeys).toEqual(['é 😀', 'a', 'b', 'c'])
    const names: unknown[] = []
    const account = TableServiceClient.fromConnectionString(CONNECTION)
    for await (const { name } of account.listTables()) names.push(name)
    expect(names).toEqual(['people'])
  })

  it('meets the faults of the service', async () => {
    const fault = local.faults.add({
      operation: 'getEntity',
      nth: 1,
      fault: { kind: 'rejection', code: 'ServerBusy', retryAfter: 1 },
    })
    expect(await people.getEntity('p', 'a')).toMatchObject({ rowKey: 'a' })
    expect(fault.fired).toBe(1)
  })
})
