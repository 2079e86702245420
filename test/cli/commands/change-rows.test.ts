import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelFolder } from '../model/pulled-tables.ts'
import { type CliSettings, runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

const ROWS = 250

let tables: Tables
let folder: string
const run = (line: string | readonly string[], settings: CliSettings = {}) =>
  runCli(line, { target: tables.target, folder, ...settings })
const people = () => tables.account.table('people')
const rowsWhere = async (isWanted: (row: DynamicEntity) => boolean) =>
  (await people().query().allowTableScan().toArray()).filter(isWanted).length

beforeAll(async () => {
  tables = await openTables()
  folder = await mkdtemp(join(tmpdir(), 'rowkey-change-'))
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await people().createIfNotExists()
  await people().query().allowTableScan().deleteAll({ etag: '*' })
  const rows = Array.from(
    { length: ROWS },
    (_, n) => new DynamicEntity(`city-${n % 7}`, `${n}`, { n, state: n % 2 === 0 ? 'new' : 'old' }),
  )
  await people().bulk().insert(rows)
})

const isNew = (row: DynamicEntity) => row.get('state')?.value === 'new'
const NEW = "state eq 'new'"

describe('rowkey delete', () => {
  it('deletes all rows that match, and no other', async () => {
    const found = await run(['delete', 'people', '--filter', NEW, '--write'])
    expect(found).toEqual({ code: 0, printed: '', warned: 'Deleted 125 rows of people.\n' })
    expect(await rowsWhere(isNew)).toBe(0)
    expect(await rowsWhere(() => true)).toBe(125)
    expect(await readdir(folder)).toEqual([])
  })

  it('counts rows and their cost with --dry-run, and writes nothing', async () => {
    const { code, warned } = await run(['delete', 'people', '-f', NEW, '--dry-run'])
    expect(code).toBe(0)
    expect(warned).toMatch(
      /^delete people of .*:\n {2}125 rows to change, by 2 to 125 requests: at most less than 0\.01 USD/,
    )
    expect(warned).toContain('Nothing was written.\n')
    const { printed } = await run(['delete', 'people', '-f', NEW, '--dry-run', '--json'])
    expect(JSON.parse(printed)).toEqual({
      table: 'people',
      change: 'delete',
      matched: 125,
      written: 0,
    })
    expect(await rowsWhere(isNew)).toBe(125)
  })

  it('is rejected without --write, and asks on a terminal', async () => {
    expect(await run(['delete', 'people', '-f', NEW])).toMatchObject({
      code: 2,
      warned: expect.stringContaining('--write'),
    })
    const refused = await run(['delete', 'people', '-f', NEW, '--write'], {
      isInteractive: true,
      input: 'n\n',
    })
    expect(refused.warned).toContain('Delete 125 rows? [y/N]')
    expect(await rowsWhere(isNew)).toBe(125)
    await run(['delete', 'people', '-f', NEW, '--write'], { isInteractive: true, input: 'y\n' })
    expect(await rowsWhere(isNew)).toBe(0)
  })

  it.each([
    'delete people --write',
    'delete people city-1 --write',
    'delete people city-1 1 --partition city-1 --write',
    'delete people --prefix 1 --write',
  ])('rejects %s', async (line) => {
    expect(await run(line)).toMatchObject({ code: 2 })
    expect(await rowsWhere(() => true)).toBe(ROWS)
  })

  it('leaves a row that changed since it was read, and names it', async () => {
    let isRead = false
    const proxy = createServer(async (request, response) => {
      // All rows were read before the first write is sent.
      if (request.method === 'POST' && !isRead) {
        isRead = true
        await people().merge(new DynamicEntity('city-0', '0', { state: 'mine' }), { etag: '*' })
      }
      const { port } = new URL(tables.account.service.endpoint.origin)
      const { method, url: path, headers } = request
      const forwarded = ask({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(forwarded)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const target = tables.target.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)
    const found = await run('delete people -p city-0 --write --json', { target })
    proxy.closeAllConnections()
    proxy.close()
    expect([isRead, found.code]).toEqual([true, 1])
    expect(JSON.parse(found.printed)).toMatchObject({
      written: 35,
      failed: 1,
      failures: [
        {
          key: ['city-0', '0'],
          code: 'UpdateConditionNotSatisfied',
          message: 'The row has changed since it was read, and stays as it is.',
        },
      ],
    })
    expect((await people().get(['city-0', '0'])).get('state')?.value).toBe('mine')
  })
})

describe('rowkey set', () => {
  it('changes a property of all rows that match, with the type that it has', async () => {
    const found = await run(['set', 'people', 'n=7', 'done:Boolean=true', '-f', NEW, '--write'])
    expect(found).toMatchObject({ code: 0, warned: 'Changed 125 rows of people.\n' })
    expect(await rowsWhere((row) => isNew(row) && row.get('n')?.value === 7)).toBe(125)
    expect(await rowsWhere((row) => row.get('done')?.value === true)).toBe(125)
    expect((await people().get(['city-1', '1'])).get('n')?.value).toBe(1)
  })

  it.each(['n', 'n:Word=1', 'n:Int32=x'])('rejects %s before anything is read', async (text) => {
    expect(await run(['set', 'people', text, '-f', NEW, '--write'])).toMatchObject({ code: 2 })
  })
})

describe('tables', () => {
  it('are created, cleared and deleted', async () => {
    expect(await run('create orders')).toMatchObject({ code: 0 })
    expect((await run('create orders --json')).printed).toContain('"created":false')
    expect(await run('drop orders')).toMatchObject({ code: 2 })
    expect(await run('drop orders --write')).toMatchObject({
      code: 0,
      warned: expect.stringContaining('which has no rows'),
    })
    expect((await run('tables --json')).printed).toContain('"tables":["people"]')
    expect((await run('clear people --write')).warned).toBe(`Deleted ${ROWS} rows of people.\n`)
    expect(await rowsWhere(() => true)).toBe(0)
  })
})

it('keeps the indexes of a model with --models', async () => {
  const models = await modelFolder()
  try {
    await writeFile(
      join(models, 'staff.ts'),
      [
        "import { z } from 'zod'",
        "import { defineEntity, key } from 'rowkey'",
        "import { declareIndexes } from '@rowkey/patterns'",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the module
        "export const Person = defineEntity({ name: 'staff', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}`,",
        '  schema: z.object({ team: z.string(), id: z.string(), email: z.string(), n: z.number().int() }) })',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the module
        "export const indexes = declareIndexes(Person, { email: { rowKey: key`email_${'email'}_${'id'}` } })",
      ].join('\n'),
    )
    const staff = tables.account.table('staff')
    await staff.create()
    const input = Array.from(
      { length: 30 },
      (_, n) =>
        `{"PartitionKey":"a","RowKey":"id_${n}","team":"a","id":"${n}","email":"e${n}","n":${n}}\n`,
    ).join('')
    await run('import staff', { input })
    const at = { folder: models }
    const set = ['set', 'staff', 'email=same', '-f', 'n ge 10', '--models', 'staff.ts', '--write']
    expect(await run(set, at)).toMatchObject({ code: 0, warned: 'Changed 20 rows of staff.\n' })
    const entries = async () =>
      (await staff.query().where({ partitionKey: 'a' }).toArray()).filter(
        ({ rowKey }) => !rowKey.startsWith('id_'),
      ).length
    expect(await entries()).toBe(20)
    expect(await run(['clear', 'staff', '--models', 'staff.ts', '--write'], at)).toMatchObject({
      code: 0,
      warned: 'Deleted 30 rows of staff.\n',
    })
    expect(await entries()).toBe(0)
  } finally {
    await rm(models, { recursive: true })
  }
})
