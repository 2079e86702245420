import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { modelFolder } from '../model/pulled-tables.ts'

const { at, run } = oneAccount()

it('rowkey upgrade counts versions, brings old rows to the newest one, and exits with 3 while one is left', async () => {
  const models = await modelFolder()
  try {
    await writeFile(
      join(models, 'staff.ts'),
      [
        "import { z } from 'zod'",
        "import { defineEntity, key } from 'rowkey'",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the module
        "const keys = { name: 'versions', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}` }",
        'const base = { team: z.string(), id: z.string() }',
        'const Before = defineEntity({ ...keys, schema: z.object({ ...base, cea: z.string().optional() }) })',
        'export const Now = defineEntity({ ...keys, schema: z.object({ ...base, email: z.string().optional() }),',
        '  version: 2, previous: Before, migrate: ({ cea, ...rest }) => ({ ...rest, email: cea }) })',
      ].join('\n'),
    )
    const table = at.tables.account.table('versions')
    await table.create()
    const rows = Array.from(
      { length: 12 },
      (_, n) => new DynamicEntity('a', `id_${n}`, { team: 'a', id: `${n}`, cea: `e${n}` }),
    )
    await table.bulk().insert(rows)
    const inModels = { folder: models }
    const found = await run('upgrade staff.ts --verify', inModels)
    expect(found).toMatchObject({
      code: 3,
      warned: 'versions:\n  Now version 1: 12 rows\nNow: below 2: 12 rows.\n',
    })
    expect(await run('upgrade staff.ts', inModels)).toMatchObject({ code: 2 })
    const upgraded = await run('upgrade staff.ts --write', inModels)
    expect(upgraded).toMatchObject({
      code: 0,
      warned: expect.stringMatching(
        /Upgraded 12 rows of versions\.\nNow: nothing below 2 since 2\d{3}-.*Z\.\n$/,
      ),
    })
    expect((await table.get(['a', 'id_3'])).get('email')?.value).toBe('e3')
    const verify = async () => {
      const { code, printed } = await run('upgrade staff.ts --verify --json', inModels)
      return [code, JSON.parse(printed)]
    }
    const first = await verify()
    const entry = { versions: { 2: 12 }, newest: 2, nothingBelowSince: expect.any(String) }
    expect(first).toMatchObject([
      0,
      {
        table: 'versions',
        versions: { 2: 12 },
        old: 0,
        upgraded: 0,
        ledger: [{ model: 'Now', ...entry }],
      },
    ])
    // A later count keeps the time, until a row of an earlier version appears.
    await run('upgrade staff.ts --write', inModels)
    const since = first[1].ledger[0].nothingBelowSince
    expect((await verify())[1].ledger[0]).toMatchObject({ nothingBelowSince: since })
    await table.insert(new DynamicEntity('a', 'id_late', { team: 'a', id: 'late', cea: 'e' }))
    expect(await verify()).toMatchObject([3, { old: 1 }])
    await run('upgrade staff.ts --write', inModels)
    const [, last] = await verify()
    expect(last.ledger[0].nothingBelowSince > since).toBe(true)
    // The ledger is not a row of the user, and not a sign of indexes.
    expect((await run('count versions --partition ~rk~')).printed).toBe('0\n')
    expect((await run('merge versions a id_1 n=1 --write')).warned).not.toContain('patterns')
  } finally {
    await rm(models, { recursive: true })
  }
})
