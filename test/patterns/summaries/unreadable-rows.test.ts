import { defineEntity, encrypted, encryptionKeys, key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, isBatch, office } from '../employees.ts'

const sales = { department: 'Sales' }

/** Two employees named Jones. Then another program makes the second one unreadable, and adds a third one. */
async function opened() {
  const all = office()
  const Employee = defineEmployee()
  const summaries = declareSummaries(Employee, {
    staff: { rowKey: key`all`, sums: ['age'] },
  })
  const employees = all.account.table(Employee)
  await employees.create()
  for (const id of [1, 2]) {
    await employees.insert({ ...sales, id, firstName: 'Jon', lastName: 'Jones', age: id })
  }
  const rows = all.account.table('employees')
  await rows.merge((await rows.get(['Sales', 'empid_000002'])).set('age', 'old'))
  const added = { firstName: 'Ann', lastName: 'Jones', age: 3 }
  await rows.insert({ partitionKey: 'Sales', rowKey: 'empid_000003', ...added })
  all.sent.length = 0
  return {
    ...all,
    employees,
    rows,
    summed: summaries.on(all.account),
  }
}

const unreadable = {
  kind: 'unreadable',
  row: { partitionKey: 'Sales', rowKey: 'empid_000002' },
  error: expect.objectContaining({ code: 'UnreadableProperty' }),
  repaired: false,
}

describe('an entity that the model cannot read', () => {
  it('is a finding of verify, beside the others', async () => {
    const { summed, sent } = await opened()
    const { findings } = await summed.verify()
    expect(findings.map(({ kind }) => kind)).toEqual(['stale', 'unreadable'])
    expect(findings[1]).toEqual({ name: 'staff', kept: undefined, ...unreadable })
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('is left out of repaired summaries until it is mended', async () => {
    const { summed, rows } = await opened()
    const { findings } = await summed.repair()
    expect(findings.map(({ repaired }) => repaired)).toEqual([true, false])
    expect(await summed.get('staff', sales)).toEqual({ count: 2, sums: { age: 4 } })
    await rows.merge((await rows.get(['Sales', 'empid_000002'])).set('age', 2))
    await summed.repair()
    expect(await summed.get('staff', sales)).toEqual({ count: 3, sums: { age: 6 } })
    expect(await summed.verify()).toMatchObject({ found: 0 })
  })

  it('is not left out when a program with another key reads and counts it', async () => {
    const { account, rival } = office()
    const program = (name: string) => {
      const keys = encryptionKeys({ current: name, keys: { [name]: new Uint8Array(32) } })
      const Employee = defineEntity({
        name: 'employees',
        partitionKey: key`${'department'}`,
        rowKey: key`empid_${'id'}`,
        schema: z.object({ department: z.string(), id: z.string(), ssn: z.string() }),
        columns: { ssn: encrypted(keys) },
      })
      return { Employee, summaries: declareSummaries(Employee, { staff: { rowKey: key`all` } }) }
    }
    const [own, other] = [program('a'), program('b')]
    await account.createTable('employees')
    await account.table(own.Employee).insert({ ...sales, id: '1', ssn: '123' })
    const repairing = other.summaries.on(rival()).repair()
    await expect(repairing).rejects.toMatchObject({ code: 'DecryptionFailed' })
    expect(await own.summaries.on(account).verify()).toMatchObject({ found: 0 })
  })

  it('rejects writes of the model before anything is stored', async () => {
    const { employees, sent } = await opened()
    const deletion = employees.delete({ ...sales, id: 2 }, { etag: '*' })
    await expect(deletion).rejects.toMatchObject({ code: 'UnreadableProperty' })
    expect(sent.filter(isBatch)).toEqual([])
  })
})

describe('a changed row of a summary', () => {
  const broken = {
    row: undefined,
    kept: { partitionKey: 'Sales', rowKey: expect.stringMatching(/~staff\.\w+~all$/) },
    kind: 'unreadable',
  }

  async function broke() {
    const all = await opened()
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
