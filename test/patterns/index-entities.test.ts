import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isBatch, office } from './employees.ts'

const sales = { department: 'Sales' }

async function opened() {
  const all = office()
  const Employee = defineEntity({
    name: 'employees',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), lastName: z.string() }),
  })
  const indexes = declareIndexes(Employee, {
    lastName: { rowKey: key`${'lastName'}_${'id:6'}` },
  })
  const employees = all.account.table(Employee)
  await employees.create()
  await indexes.on(all.account).build()
  const ids = async (lastName: string) => {
    const found = await employees
      .query()
      .where({ ...sales, lastName })
      .toArray()
    return found.map(({ id }) => id)
  }
  all.sent.length = 0
  return { ...all, employees, ids }
}

describe('an index that is not unique, in place of a row with a list of ids', () => {
  it('R-149: a lookup reads the keys of a value, then the entities by point reads', async () => {
    const { employees, ids, sent } = await opened()
    for (const id of [1, 2, 3]) {
      await employees.insert({ ...sales, id, lastName: id === 2 ? 'Smith' : 'Jones' })
    }
    sent.length = 0
    expect(await ids('Jones')).toEqual([1, 3])
    expect(sent.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('R-149: a changed value touches three rows in one transaction', async () => {
    const { account, employees, ids, sent } = await opened()
    const jones = await employees.insert({ ...sales, id: 1, lastName: 'Jones' })
    sent.length = 0
    jones.lastName = 'Smith'
    await employees.merge(jones)
    expect(sent.map(isBatch)).toEqual([true])
    expect([await ids('Jones'), await ids('Smith')]).toEqual([[], [1]])
    const rows = await account.table('employees').query().where({ partitionKey: 'Sales' }).toArray()
    expect(rows.map(({ rowKey }) => rowKey)).toEqual([
      'empid_000001',
      expect.stringMatching(/^~rk~ix~empid_~lastName\.[0-9a-f]{8}~Smith_000001$/),
    ])
  })

  it('R-149: overlapping writers of one value need one transaction each', async () => {
    const { employees, ids, sent } = await opened()
    const numbers = Array.from({ length: 12 }, (_, at) => at)
    await Promise.all(numbers.map((id) => employees.insert({ ...sales, id, lastName: 'Jones' })))
    expect(sent.filter(isBatch)).toHaveLength(12)
    expect(await ids('Jones')).toEqual(numbers)
  })
})
