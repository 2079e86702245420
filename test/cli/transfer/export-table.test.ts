import { appendFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { type ExportPlan, exportToFile } from '../../../packages/cli/src/transfer/export-table.ts'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'
import { silentShell } from '../silent-shell.ts'

const { at, run } = oneAccount(storePeople)

describe('rowkey export', () => {
  it('never takes the place of what is not a file', async () => {
    const { code, warned } = await run('export people . --force')
    expect([code, warned]).toEqual([2, expect.stringContaining('It is not a file')])
  })

  it('goes on where an interrupted export ended, and rejects its position with other options', async () => {
    await run('export people whole.ndjson')
    // As an export that was killed after a page: a position, and rows that it does not count.
    const pages = at.tables.account.table('people').query().allowTableScan().byPage()
    const { value: page } = await pages.next()
    await pages.return()
    const partial = join(at.folder, 'people.ndjson.partial')
    await mkdir(partial)
    const text = (page?.items ?? []).map((row) => `${printRowLine(row)}\n`).join('')
    await writeFile(join(partial, '0.ndjson'), `${text}{"torn`)
    const host = at.tables.account.service.endpoint
    const account = `${host.origin.replace('http://', '')}${host.basePath}`
    const token = page?.continuationToken
    const position = [
      { token, rows: page?.items.length, leftOut: 0, bytes: Buffer.byteLength(text) },
    ]
    const subject = { command: 'export', account, table: 'people' }
    await writeFile(join(partial, 'position.json'), JSON.stringify({ ...subject, position }))
    const other = await run('export people people.ndjson --partition a')
    expect([other.code, other.warned]).toEqual([2, expect.stringContaining('position.json')])
    await writeFile(join(partial, '0.ndjson'), text.slice(1))
    const torn = await run('export people people.ndjson')
    expect([torn.code, torn.warned]).toEqual([2, expect.stringContaining('0.ndjson lacks rows')])
    await writeFile(join(partial, '0.ndjson'), `${text}{"torn`)
    const { warned } = await run('export people people.ndjson')
    expect(warned).toMatch(/^Exported 1,300 rows of people \(1,000 by an earlier run\)/)
    expect(await readFile(join(at.folder, 'people.ndjson'), 'utf8')).toBe(
      await readFile(join(at.folder, 'whole.ndjson'), 'utf8'),
    )
  })

  it('rejects what is not a position', async () => {
    const position = join(at.folder, 'people.ndjson.partial/position.json')
    await mkdir(join(at.folder, 'people.ndjson.partial'))
    const whole = { rows: 0, leftOut: 0, bytes: 0 }
    const ranges = [{ from: 5 }, { to: 5 }, { token: 5 }, { isDone: false }]
    const counts = [{ rows: -1 }, { leftOut: '0' }, { bytes: 0.5 }]
    const parts = [...ranges, ...counts].map((wrong) => ({ ...whole, ...wrong }))
    for (const wrong of [
      {},
      { length: 1 },
      [],
      [null],
      [5],
      [{}],
      ...parts.map((part) => [whole, part]),
    ]) {
      await writeFile(position, JSON.stringify({ position: wrong }))
      expect([wrong, await run('export people people.ndjson')]).toMatchObject([
        wrong,
        { code: 2, warned: expect.stringContaining('is not the position of a command') },
      ])
    }
  })

  it('goes on with the ranges that are not done', async () => {
    const partial = join(at.folder, 'people.ndjson.partial')
    await mkdir(partial)
    const host = at.tables.account.service.endpoint
    const account = `${host.origin.replace('http://', '')}${host.basePath}`
    const none = { rows: 0, leftOut: 0, bytes: 0 }
    const position = [
      { to: 'city-1', isDone: true, ...none },
      { from: 'city-1', ...none },
    ]
    const text = JSON.stringify({ command: 'export', account, table: 'people', position })
    await writeFile(join(partial, 'position.json'), text)
    const { code, warned } = await run('export people people.ndjson')
    const people = at.tables.account.table('people').query()
    const done = await people.where({ partitionKey: 'city-0' }).count()
    const left = (PEOPLE - done).toLocaleString('en')
    expect([code, warned]).toEqual([0, expect.stringMatching(`^Exported ${left} rows`)])
  })

  it.skipIf(process.platform === 'win32')(
    'follows no link that was planted at its partial folder, and writes for its user only',
    async () => {
      const elsewhere = join(at.folder, 'elsewhere')
      await mkdir(elsewhere)
      await symlink(elsewhere, join(at.folder, 'people.ndjson.partial'))
      const { code, warned } = await run('export people people.ndjson')
      expect([code, warned]).toEqual([
        2,
        expect.stringContaining('people.ndjson.partial is a link'),
      ])
      expect([await readdir(elsewhere), await readdir(at.folder)]).not.toContain('people.ndjson')
      await rm(join(at.folder, 'people.ndjson.partial'))

      expect((await run('export people people.csv')).code).toBe(0)
      expect((await stat(join(at.folder, 'people.csv'))).mode & 0o777).toBe(0o600)
    },
  )

  it('rejects rows that another export has written into its parts', async () => {
    const path = join(at.folder, 'people.ndjson')
    const table = at.tables.account.table('people')
    const other = new Set([() => appendFileSync(join(`${path}.partial`, '0.ndjson'), '{}\n')])
    const plan: ExportPlan = {
      shell: silentShell(),
      table,
      query: table.query(),
      path,
      format: 'ndjson',
      isZipped: false,
      concurrency: 2,
      subject: {},
      onRows: () => {
        for (const write of other) write()
        other.clear()
      },
    }
    await expect(exportToFile(plan)).rejects.toMatchObject({
      code: 'ResumeMismatch',
      message: expect.stringContaining('Another command has written to'),
    })
    expect(await readdir(at.folder)).toEqual([])
    expect(await exportToFile(plan)).toEqual({ rows: PEOPLE, resumed: 0, leftOut: 0 })
  })
})
