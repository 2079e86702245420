import { localTableService } from '@rowkey/local'
import {
  createTable,
  createTableIfNotExists,
  deleteTableIfExists,
  noRetry,
  perform,
  ServiceError,
  type TableService,
  tableService,
} from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'

const people = { table: 'people' }

/** An embedded service with the table `other`, which loses responses on demand. */
async function freshService() {
  const { transport, connectionString } = localTableService()
  let sent = 0
  let losing = 0
  const counting = failingTransport(transport, () => {
    sent++
    return losing-- > 0 ? 'lost response' : undefined
  })
  const service = tableService({
    connectionString: connectionString(),
    transport: counting,
    retry: noRetry,
  })
  await perform(service, createTable, { table: 'other' })
  sent = 0
  const lose = (count: number) => {
    losing = count
  }
  return { service, sent: () => sent, lose }
}

const forbidding = (service: TableService): TableService => ({
  ...service,
  transport: async () => ({ status: 403, headers: {}, body: '' }),
})

describe('createTableIfNotExists', () => {
  it('tells whether it created the table, in one request', async () => {
    const { service, sent } = await freshService()
    expect(await perform(service, createTableIfNotExists, people)).toBe(true)
    expect(await perform(service, createTableIfNotExists, people)).toBe(false)
    expect(sent()).toBe(2)
  })

  it('counts a table that it finds after a lost response as its own', async () => {
    const { service, sent, lose } = await freshService()
    lose(1)
    const retry = { delayAfter: () => 0 }
    expect(await perform(service, createTableIfNotExists, people, { retry })).toBe(true)
    expect(sent()).toBe(2)
  })

  it('expects only that the table exists', async () => {
    expect(createTableIfNotExists.expects).toContain('TableAlreadyExists')
    expect(createTableIfNotExists.expects).not.toContain('TableBeingDeleted')
    const { service } = await freshService()
    const creation = perform(forbidding(service), createTableIfNotExists, people)
    await expect(creation).rejects.toThrow(ServiceError)
  })
})

describe('deleteTableIfExists', () => {
  it('tells whether it deleted the table, in one request', async () => {
    const { service, sent } = await freshService()
    expect(await perform(service, deleteTableIfExists, { table: 'other' })).toBe(true)
    expect(await perform(service, deleteTableIfExists, { table: 'other' })).toBe(false)
    expect(sent()).toBe(2)
  })

  it('counts a table that is missing after a lost response as deleted', async () => {
    const { service, sent, lose } = await freshService()
    lose(1)
    const retry = { delayAfter: () => 0 }
    expect(await perform(service, deleteTableIfExists, { table: 'other' }, { retry })).toBe(true)
    expect(sent()).toBe(2)
  })

  it('expects only that the table is missing', async () => {
    for (const code of ['ResourceNotFound', 'EntityNotFound', 'TableNotFound'])
      expect(deleteTableIfExists.expects).toContain(code)
    expect(deleteTableIfExists.expects).not.toContain('TableBeingDeleted')
    const { service } = await freshService()
    const deletion = perform(forbidding(service), deleteTableIfExists, people)
    await expect(deletion).rejects.toThrow(ServiceError)
  })
})
