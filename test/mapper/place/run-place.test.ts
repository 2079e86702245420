import { connect, defineEntity, key } from 'rowkey'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

const keys = { name: 'meetings', partitionKey: key`${'p'}`, rowKey: key`${'r'}` } as const

describe('a schema that takes values of other kinds', () => {
  it('R-69: stores its own by a merge as by an insert', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const schema = z.object({
      p: z.string(),
      r: z.string(),
      size: z.coerce.number().optional(),
      level: z.number().catch(0).optional(),
    })
    const table = account.table(defineEntity({ ...keys, schema }))
    await table.create()
    const read = await table.insert({ p: 'a', r: '1', size: '5', level: 1 })
    Object.assign(read, { size: '7', level: 'high' })
    await table.merge(read)
    expect(read).toMatchObject({ size: 7, level: 0 })
    const row = await account.table('meetings').get(['a', '1'])
    expect([row.get('size')?.value, row.get('level')?.value]).toEqual([7, 0])
    await table.insertOrMerge({ p: 'a', r: '1', size: '8' })
    expect(await table.get({ p: 'a', r: '1' })).toMatchObject({ size: 8, level: 0 })
  })
})

describe('a schema that changes values again', () => {
  it('R-69: is rejected by a write, which leaves the object as it is', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const schema = z.object({
      p: z.string(),
      r: z.string(),
      tag: z.preprocess((text) => `${text}!`, z.string()).optional(),
      list: z.array(z.string().overwrite((text) => `${text}?`)).optional(),
    })
    const table = account.table(defineEntity({ ...keys, schema }))
    await table.create()
    for (const given of [{ tag: 'a' }, { list: ['a'] }]) {
      const entity = { p: 'a', r: '1', ...given }
      await expect(table.insert(entity)).rejects.toThrow(/changes its own result again/)
      expect(entity).toEqual({ p: 'a', r: '1', ...given })
    }
  })
})
