import { localTableService } from '@rowkey/local'
import {
  createTable,
  deleteTable,
  getEntity,
  getTable,
  insertEntity,
  mergeEntity,
  perform,
  queryEntities,
  queryTables,
  type TableService,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'

function cosmos(checks: 'before sending' | 'by the service' = 'before sending'): TableService {
  const local = localTableService({ flavour: 'cosmos' })
  onTestFinished(() => local.close())
  const { transport } = local
  const connectionString = local.connectionString()
  return tableService({ connectionString, transport, flavour: 'cosmos', checks })
}

const row = (rowKey: string, partitionKey = 'p') => ({
  table: 'people',
  key: { partitionKey, rowKey },
  body: JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey }),
})

const ROW_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

async function withRows(service: TableService) {
  await perform(service, createTable, { table: 'people' })
  for (const rowKey of ROW_KEYS) await perform(service, insertEntity, row(rowKey))
  return service
}

describe('the embedded service as Cosmos DB', () => {
  it('R-177: keeps apart tables whose names differ in case', async () => {
    const service = cosmos()
    for (const table of ['people', 'People', 'a-test-table', '表格']) {
      await perform(service, createTable, { table })
    }
    const { tables } = await perform(service, queryTables, {})
    expect([...tables].sort()).toEqual(['People', 'a-test-table', 'people', '表格'].sort())
    await perform(service, deleteTable, { table: 'People' })
    expect(await perform(service, getTable, { table: 'people' })).toEqual({ table: 'people' })
    await expect(perform(service, getTable, { table: 'PEOPLE' })).rejects.toMatchObject({
      name: 'TableNotFoundError',
    })
  })

  it('R-177: returns each row once over all pages, in an order that is not that of the keys', async () => {
    const service = await withRows(cosmos())
    const found: unknown[] = []
    let page = await perform(service, queryEntities, { table: 'people', top: 3 })
    found.push(...page.entities)
    while (page.continuation !== undefined) {
      const { continuation } = page
      page = await perform(service, queryEntities, { table: 'people', top: 3, continuation })
      expect(page.entities.length).toBeLessThanOrEqual(3)
      found.push(...page.entities)
    }
    const rowKeys = found.map((entity) => (entity as { RowKey: string }).RowKey)
    expect([...rowKeys].sort()).toEqual(ROW_KEYS)
    expect(rowKeys).not.toEqual(ROW_KEYS)
  })

  it.each([
    ['an empty PartitionKey', row('r', ''), 'PropertiesNeedValue'],
    ['an empty RowKey', row(''), 'PropertiesNeedValue'],
    ['a RowKey of 256 bytes', row('é'.repeat(128)), 'KeyValueTooLarge'],
    [
      'a property rid',
      { ...row('r'), body: '{"PartitionKey":"p","RowKey":"r","rid":1}' },
      'PropertyNameInvalid',
    ],
  ])('R-177: rejects %s', async (_, write, code) => {
    const service = cosmos('by the service')
    await perform(service, createTable, { table: 'people' })
    await expect(perform(service, insertEntity, write)).rejects.toMatchObject({ code })
  })

  it('R-177: says ResourceNotFound for a missing table', async () => {
    const service = cosmos()
    await expect(perform(service, insertEntity, row('r'))).rejects.toMatchObject({
      name: 'TableNotFoundError',
      code: 'ResourceNotFound',
    })
    await expect(perform(service, getEntity, row('r'))).rejects.toMatchObject({
      name: 'EntityNotFoundError',
      message: expect.stringContaining('Cosmos DB says the same when the table does not exist.'),
    })
  })

  it('R-177: merges by POST', async () => {
    const service = await withRows(cosmos())
    const body = '{"age":5}'
    await perform(service, mergeEntity, { ...row('a'), body, etag: '*' })
    const { raw } = await perform(service, getEntity, row('a'))
    expect(raw).toMatchObject({ RowKey: 'a', age: 5 })
  })

  it('rejects an unknown flavour, and a replication that Cosmos DB does not have', () => {
    const invalid = expect.objectContaining({ code: 'InvalidOptionValue' })
    expect(() => localTableService({ flavour: 'mongo' as never })).toThrow(invalid)
    expect(() => localTableService({ flavour: 'cosmos', replication: { lag: 0 } })).toThrow(invalid)
  })
})
