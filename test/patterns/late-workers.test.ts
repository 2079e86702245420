import { defineEntity, key, union } from '@rowkey/mapper'
import { BatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, isBatch, jones, office } from './employees.ts'

const sales = { department: 'Sales' }
const work = { ...sales, kind: 'import' }

/** Opens the employees of a program and the row of its work. */
function open({ account }: Pick<ReturnType<typeof office>, 'account'>) {
  const Employee = defineEmployee()
  const Work = defineEntity({
    name: 'employees',
    partitionKey: key`${'department'}`,
    rowKey: key`work_${'kind'}`,
    schema: z.object({ department: z.string(), kind: z.string(), worker: z.string() }),
  })
  const rows = account.table('employees', union(Employee, Work))
  const take = (worker: string) =>
    rows.ofType(Work).modify(
      work,
      (row) => {
        row.worker = worker
      },
      { orInsert: () => ({ ...work, worker }) },
    )
  const insert = (taken: Awaited<ReturnType<typeof take>>, ...ids: readonly number[]) => {
    const batch = rows.batch()
    for (const id of ids) batch.insert(Employee, { ...jones, id })
    return batch.replace(taken).submit()
  }
  return { rows, take, insert, count: () => rows.ofType(Employee).query().where(sales).count() }
}

async function opened() {
  const all = office()
  const own = open(all)
  await own.rows.create()
  return { ...own, between: all.between, other: open({ account: all.rival() }) }
}

describe('a row of the work in each batch', () => {
  it('R-148: rejects the whole batch of a worker whose work another one has taken since', async () => {
    const { take, insert, other, count } = await opened()
    const stale = await take('one')
    const current = await other.take('two')
    await expect(insert(stale, 1, 2)).rejects.toThrow(BatchError)
    expect(await count()).toBe(0)
    await other.insert(current, 1)
    expect(await count()).toBe(1)
  })

  it('R-148: rejects it also when the work is taken just before the transaction', async () => {
    const { take, insert, between, other, count } = await opened()
    const stale = await take('one')
    between(isBatch, () => other.take('two'))
    await expect(insert(stale, 1, 2)).rejects.toMatchObject({ status: 412 })
    expect(await count()).toBe(0)
  })

  it('lets its worker write as many batches as it likes', async () => {
    const { take, insert, count } = await opened()
    const taken = await take('one')
    for (const id of [1, 2, 3]) await insert(taken, id)
    expect(await count()).toBe(3)
  })
})
