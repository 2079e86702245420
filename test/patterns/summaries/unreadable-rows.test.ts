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
    staff: { rowKey: key`summary_staff`, sums: ['age'] },
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
    const found = await summed.verify(sales)
    expect(found.map(({ kind }) => kind)).toEqual(['stale', 'unreadable'])
    expect(found[1]).toEqual({ summary: 'staff', ...unreadable })
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('is left out of rebuilt summaries until it is mended', async () => {
    const { summed, rows } = await opened()
    expect((await summed.rebuild(sales)).map(({ repaired }) => repaired)).toEqual([true, false])
    expect(await summed.get('staff', sales)).toEqual({ count: 2, sums: { age: 4 } })
    await rows.merge((await rows.get(['Sales', 'empid_000002'])).set('age', 2))
    await summed.rebuild(sales)
    expect(await summed.get('staff', sales)).toEqual({ count: 3, sums: { age: 6 } })
    expect(await summed.verify(sales)).toEqual([])
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
      return { Employee, summaries: declareSummaries(Employee, { staff: { rowKey: key`staff` } }) }
    }
    const [own, other] = [program('a'), program('b')]
    await account.createTable('employees')
    await account.table(own.Employee).insert({ ...sales, id: '1', ssn: '123' })
    const rebuilding = other.summaries.on(rival()).rebuild(sales)
    await expect(rebuilding).rejects.toMatchObject({ code: 'DecryptionFailed' })
    expect(await own.summaries.on(account).verify(sales)).toEqual([])
  })

  it('rejects writes of the model before anything is stored', async () => {
    const { employees, sent } = await opened()
    const deletion = employees.delete({ ...sales, id: 2 }, { etag: '*' })
    await expect(deletion).rejects.toMatchObject({ code: 'UnreadableProperty' })
    expect(sent.filter(isBatch)).toEqual([])
  })
})

describe('a changed row of a summary', () => {
  const rowKey = 'summary_staff'
  const broken = { row: { partitionKey: 'Sales', rowKey }, kind: 'unreadable' }

  async function broke() {
    const all = await opened()
    await all.rows.merge((await all.rows.get(['Sales', rowKey])).set('Count', '{'))
    return { ...all, table: all.summed, read: () => all.summed.get('staff', sales) }
  }

  it('rejects reads and writes with the fix', async () => {
    const { employees, read } = await broke()
    const error = { code: 'UnreadableKeptRow', message: expect.stringMatching(/Run rebuild/) }
    await expect(read()).rejects.toMatchObject(error)
    const insert = employees.insert({ ...sales, id: 9, firstName: 'F', lastName: 'Jones' })
    await expect(insert).rejects.toMatchObject(error)
  })

  it('is a finding of verify, and rebuilt', async () => {
    const { table, read } = await broke()
    expect(await table.verify(sales)).toContainEqual(
      expect.objectContaining({ ...broken, repaired: false }),
    )
    expect(await table.rebuild(sales)).toContainEqual(
      expect.objectContaining({ ...broken, repaired: true }),
    )
    await read()
    expect((await table.verify(sales)).map(({ kind, repaired }) => [kind, repaired])).toEqual([
      ['unreadable', false],
    ])
  })

  it('is not deleted when no entity needs it', async () => {
    const { table, rows } = await broke()
    for (const id of [1, 2, 3]) await rows.delete(['Sales', `empid_00000${id}`], { etag: '*' })
    expect(await table.rebuild(sales)).toEqual([
      expect.objectContaining({ ...broken, repaired: false }),
    ])
    expect(await rows.find(['Sales', rowKey])).toBeDefined()
  })
})
