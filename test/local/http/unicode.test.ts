import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalTableService, localTableService } from '@rowkey/local'
import {
  createTable,
  deleteTable,
  type Flavour,
  getEntity,
  getTable,
  type HttpResponse,
  insertEntity,
  mergeEntity,
  perform,
  queryEntities,
  queryTables,
  type TableService,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A quote, letters of two and three bytes, a pair of surrogates, and JSON's own escapes. */
const TEXT = '\'é漢🙂"\\\u2028'
const KEY = { partitionKey: 'é漢🙂', rowKey: "'é 漢%41" }

/** Property names are identifiers in any script. */
const body = (more: object = {}) =>
  JSON.stringify({ PartitionKey: KEY.partitionKey, RowKey: KEY.rowKey, größe: TEXT, ...more })

interface Client {
  readonly service: TableService
  readonly local: LocalTableService
  /** The responses as they were received. */
  readonly responses: HttpResponse[]
}

/** Opens a service on a port, and a client of it. */
async function overPort(flavour: Flavour, store: string): Promise<Client> {
  const folder = store === 'folder' ? mkdtempSync(join(tmpdir(), 'rowkey-')) : undefined
  const local = localTableService({ flavour, ...(folder !== undefined && { data: folder }) })
  const { connectionString } = await local.listen({ port: 0 })
  const transport = undiciTransport()
  const responses: HttpResponse[] = []
  const service = tableService({
    connectionString,
    flavour,
    async transport(request, limits) {
      const response = await transport(request, limits)
      responses.push(response)
      return response
    },
  })
  onTestFinished(async () => {
    await transport.close?.()
    await local.close()
    if (folder !== undefined) rmSync(folder, { recursive: true })
  })
  return { service, local, responses }
}

const PLACES = (['storage', 'cosmos'] as const).flatMap((flavour) =>
  ['memory', 'folder'].map((store) => [flavour, store] as const),
)

describe.each(PLACES)('the flavour %s in %s over a port', (flavour, store) => {
  it('R-177: stores and returns every character of keys, names and values', async () => {
    const { service, responses } = await overPort(flavour, store)
    const table = 'people'
    await perform(service, createTable, { table })
    const inserted = await perform(service, insertEntity, { table, key: KEY, body: body() })
    await perform(service, mergeEntity, {
      table,
      key: KEY,
      etag: inserted.etag,
      body: body({ ñ: TEXT }),
    })
    const read = await perform(service, getEntity, { table, key: KEY })
    expect(read.raw).toMatchObject({
      PartitionKey: KEY.partitionKey,
      RowKey: KEY.rowKey,
      größe: TEXT,
      ñ: TEXT,
    })
    const filter = `größe eq '${TEXT.replaceAll("'", "''")}'`
    const page = await perform(service, queryEntities, { table, filter })
    expect(page.entities.map((row) => row.ñ)).toEqual([TEXT])
    for (const { headers, body: text, status } of responses) {
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
      expect(Object.values(headers).join()).toMatch(/^[ -~]*$/)
      expect(status).toBeLessThan(300)
    }
  })

  it('R-177: sends a body of many bytes in two pieces', async () => {
    const { service, local } = await overPort(flavour, store)
    const table = 'people'
    await perform(service, createTable, { table })
    await perform(service, insertEntity, { table, key: KEY, body: body() })
    // The pause may divide a character.
    for (let after = 100; after < 110; after++) {
      local.faults.add({ fault: { kind: 'slow body', delay: 1, after }, times: 1 })
      const read = await perform(service, getEntity, { table, key: KEY })
      expect(read.raw.größe).toBe(TEXT)
    }
  })
})

describe('the flavour cosmos over a port', () => {
  it.each([
    '表',
    'größe',
    '🙂',
    'a b',
    "it's",
    'a(b)',
    'a%41',
    "a(PartitionKey='p',RowKey='r')",
    '<&">',
  ])('R-177: creates, lists, fills and deletes a table named %j', async (table) => {
    const { service, responses } = await overPort('cosmos', 'memory')
    await perform(service, createTable, { table })
    expect(responses[0]?.headers.location).toMatch(/^[!-~]+$/)
    expect(await perform(service, getTable, { table })).toEqual({ table })
    await perform(service, insertEntity, { table, key: KEY, body: body() })
    const page = await perform(service, queryEntities, { table })
    expect(page.entities.map((row) => row.größe)).toEqual([TEXT])
    expect((await perform(service, queryTables, {})).tables).toEqual([table])
    await perform(service, deleteTable, { table })
    await expect(perform(service, getTable, { table })).rejects.toMatchObject({ status: 404 })
  })

  it.each(['a()', 'tables', 'Tables()'])(
    'R-177: rejects the table name %s, which no path can name',
    async (table) => {
      const { service } = await overPort('cosmos', 'memory')
      await expect(perform(service, createTable, { table })).rejects.toMatchObject({
        status: 400,
        code: 'InvalidInput',
      })
    },
  )
})
