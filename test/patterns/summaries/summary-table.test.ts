import { describe, expect, it } from 'vitest'
import { sales } from './staff-summaries.ts'
import { unreadableStaff } from './unreadable-staff.ts'

describe('a changed row of a summary', () => {
  const broken = {
    row: undefined,
    kept: { partitionKey: 'Sales', rowKey: expect.stringMatching(/~staff\.\w+~all$/) },
    kind: 'unreadable',
  }

  async function broke() {
    const all = await unreadableStaff()
    const stored = await all.rows.query().where({ partitionKey: 'Sales' }).toArray()
    const { rowKey = '' } = stored.find((each) => each.rowKey.startsWith('~rk~su~')) ?? {}
    await all.rows.merge((await all.rows.get(['Sales', rowKey])).set('Count', '{'))
    return { ...all, rowKey, table: all.summed, read: () => all.summed.get('staff', sales) }
  }

  it('rejects reads and writes with the fix', async () => {
    const { employees, read } = await broke()
    const error = { code: 'UnreadableKeptRow', message: expect.stringMatching(/Run repair/) }
    await expect(read()).rejects.toMatchObject(error)
    const insert = employees.insert({ ...sales, id: 9, firstName: 'F', lastName: 'Jones' })
    await expect(insert).rejects.toMatchObject(error)
  })

  it('is a finding of verify, and repaired', async () => {
    const { table, read } = await broke()
    expect((await table.verify()).findings).toContainEqual(
      expect.objectContaining({ ...broken, repaired: false }),
    )
    expect((await table.repair()).findings).toContainEqual(
      expect.objectContaining({ ...broken, repaired: true }),
    )
    await read()
    const { findings } = await table.verify()
    expect(findings.map(({ kind, repaired }) => [kind, repaired])).toEqual([['unreadable', false]])
  })

  it('is not deleted when no entity needs it', async () => {
    const { table, rows, rowKey } = await broke()
    for (const id of [1, 2, 3]) await rows.delete(['Sales', `empid_00000${id}`], { etag: '*' })
    expect((await table.repair()).findings).toEqual([
      expect.objectContaining({ ...broken, repaired: false }),
    ])
    expect(await rows.find(['Sales', rowKey])).toBeDefined()
  })
})
