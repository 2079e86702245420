import { defineEntity, key, ModelError, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareFences, declareIndexes } from '@rowkey/patterns'
import {
  BatchError,
  deleteEntity,
  ETagMismatchError,
  OperationContext,
  perform,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'

/** The employees of one worker. A model of its own, because fences are declared on models. */
function worker() {
  const Employee = defineEmployee()
  const fences = declareFences(Employee)
  return { Employee, fences }
}

const sales = { department: 'Sales' }

const DELETE_JONES = {
  table: 'employees',
  key: { partitionKey: 'Sales', rowKey: 'emp_000223' },
  body: '',
  etag: '*',
}

async function opened() {
  const all = office()
  const one = worker()
  const employees = all.account.table(one.Employee)
  await employees.create()
  const other = worker()
  const rival = all.rival()
  return { ...all, ...one, employees, other: { ...other, account: rival } }
}

describe('declareFences', () => {
  it('R-148: a worker whose fence was taken since writes nothing', async () => {
    const { employees, fences, account, other } = await opened()
    const stale = await fences.on(account).take(sales, 'import')
    const current = await other.fences.on(other.account).take(sales, 'import')
    const writing = employees
      .batch()
      .insert({ ...jones })
      .insert({ ...jones, id: 2 })
      .submit(stale.guard())
    await expect(writing).rejects.toMatchObject({ code: 'FenceLost' })
    await expect(employees.insert({ ...jones }, stale.guard())).rejects.toThrow(ETagMismatchError)
    expect(await employees.query().where(sales).count()).toBe(0)
    await other.account.table(other.Employee).insert({ ...jones }, current.guard())
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('is stored under its name, after fence_', async () => {
    const { fences, account } = await opened()
    await fences.on(account).take(sales, 'import')
    await account.table('employees').get(['Sales', 'fence_import'])
  })

  it('a write rejects a fence as its options, because only guard makes them', async () => {
    const { employees, fences, account } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    expect(fence.name).toBe('import')
    const writing = employees.insert({ ...jones }, fence as never)
    await expect(writing).rejects.toMatchObject({ code: 'UnknownOption' })
    expect(await employees.find(jones)).toBeUndefined()
  })

  it('R-148: modify of a worker whose fence was taken since fails at once, with the same code', async () => {
    const { employees, fences, account, other, sent } = await opened()
    await employees.insert({ ...jones })
    const stale = await fences.on(account).take(sales, 'import')
    await other.fences.on(other.account).take(sales, 'import')
    sent.length = 0
    const modifying = employees.modify(
      jones,
      (each) => {
        each.age = 50
      },
      stale.guard(),
    )
    await expect(modifying).rejects.toMatchObject({ code: 'FenceLost', attempts: 0 })
    expect(sent).toHaveLength(2) // the entity and the fence
  })

  it('R-148: a bulk writer that skips conflicts does not skip the writes of a lost fence', async () => {
    const { employees, fences, account, other } = await opened()
    const stale = await fences.on(account).take(sales, 'import')
    await other.fences.on(other.account).take(sales, 'import')
    const bulk = employees.bulk({ ...stale.guard(), onConflict: 'skip' })
    await expect(bulk.insert([jones, { ...jones, id: 2 }])).rejects.toMatchObject({
      summary: { skipped: 0, failed: 2 },
    })
  })

  it('R-148: a fence that is taken just before the transaction makes it fail whole', async () => {
    const { employees, fences, account, other, between } = await opened()
    const stale = await fences.on(account).take(sales, 'import')
    between(isBatch, () => other.fences.on(other.account).take(sales, 'import'))
    const writing = employees
      .batch()
      .insert({ ...jones })
      .insert({ ...jones, id: 2 })
      .submit(stale.guard())
    await expect(writing).rejects.toMatchObject({ code: 'FenceLost' })
    expect(await employees.query().where(sales).count()).toBe(0)
  })

  it('the holder of a fence writes as often as it likes, also at the same time', async () => {
    const { employees, fences, account } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    await Promise.all([1, 2, 3, 4].map((id) => employees.insert({ ...jones, id }, fence.guard())))
    await employees.modify(
      { ...sales, id: 1 },
      (each) => {
        each.age = 50
      },
      fence.guard(),
    )
    expect(await employees.query().where(sales).count()).toBe(4)
  })

  it('a guarded write costs one read and one operation more, and others cost nothing', async () => {
    const { employees, fences, account, sent } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    sent.length = 0
    const employee = await employees.insert({ ...jones }, fence.guard())
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    sent.length = 0
    employee.age = 43
    await employees.merge(employee)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('a bulk writer takes the guard, too', async () => {
    const { employees, fences, account, other } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    const all = Array.from({ length: 150 }, (_, id) => ({ ...jones, id }))
    await employees.bulk(fence.guard()).insert(all)
    expect(await employees.query().where(sales).count()).toBe(150)
    await other.fences.on(other.account).take(sales, 'import')
    const late = employees.bulk(fence.guard()).insert([{ ...jones, id: 500 }])
    await expect(late).rejects.toThrow()
    expect(await employees.find({ ...sales, id: 500 })).toBeUndefined()
  })

  it('keeps the context of the caller', async () => {
    const { employees, fences, account } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    const context = new OperationContext()
    await employees.insert({ ...jones }, fence.guard({ context }))
    expect(context.attempts.length).toBeGreaterThan(0)
  })

  it('fences of other names do not disturb each other, and a fence guards one partition', async () => {
    const { Employee, employees, fences, account, other } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    await other.fences.on(other.account).take(sales, 'export')
    await employees.insert({ ...jones }, fence.guard())
    const elsewhere = employees.insert({ ...jones, department: 'Law' }, fence.guard())
    await expect(elsewhere).rejects.toThrow(/another partition/)
    await account.createTable('archive')
    const archive = account.table(Employee, 'archive')
    await expect(archive.insert({ ...jones }, fence.guard())).rejects.toThrow(/another partition/)
  })

  it('R-148: a write with the guards of two fences depends on both', async () => {
    const { employees, fences, account, other } = await opened()
    const one = await fences.on(account).take(sales, 'import')
    const two = await fences.on(account).take(sales, 'export')
    await employees.insert({ ...jones }, one.guard(two.guard(one.guard())))
    await other.fences.on(other.account).take(sales, 'export')
    const late = employees.insert({ ...jones, id: 2 }, one.guard(two.guard()))
    await expect(late).rejects.toMatchObject({ code: 'FenceLost' })
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('R-148: a write that cannot check the fence is rejected before it is sent', async () => {
    const { Employee, employees, fences, account, sent } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    const Note = defineEntity({
      name: 'employees',
      partitionKey: key`${'department'}`,
      rowKey: key`note_${'no:4'}`,
      schema: z.object({ department: z.string(), no: z.number().int() }),
    })
    const note = { ...sales, no: 1 }
    const both = account.table('employees', union(Employee, Note))
    const row = new DynamicEntity('Sales', 'emp_7')
    sent.length = 0
    const writes = [
      account.table('employees').insert(row, fence.guard()),
      account.table('employees').batch().insertOrReplace(row).submit(fence.guard()),
      account.table(Note).insert(note, fence.guard()),
      both.batch().insert(note).submit(fence.guard()),
      perform(account.service, deleteEntity, DELETE_JONES, fence.guard()),
    ]
    for (const write of writes) {
      await expect(write).rejects.toMatchObject({ code: 'InvalidPatternOption' })
    }
    expect(sent).toEqual([])
    await both
      .batch()
      .insert(note)
      .insert({ ...jones })
      .submit(fence.guard())
    expect(await account.table(Note).get(note, fence.guard())).toMatchObject(note)
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('a guarded write that cannot succeed fails as without the guard, and reads need no fence', async () => {
    const { employees, fences, account } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    const missing = { ...sales, id: 7 }
    const byAny = { ...fence.guard(), etag: '*' }
    expect(await employees.deleteIfExists(missing, byAny)).toBe(false)
    const stale = await employees.insert({ ...jones }, fence.guard())
    const grow = (each: { age?: number | undefined }) => void Object.assign(each, { age: 50 })
    await employees.modify(jones, grow, fence.guard())
    stale.age = 51
    await expect(employees.merge(stale, fence.guard())).rejects.toThrow(ETagMismatchError)
    const [found] = await employees.batch().retrieve(jones).submit(fence.guard())
    expect(found?.entity).toMatchObject({ age: 50 })
    expect(await employees.getMany([jones], fence.guard())).toHaveLength(1)
  })

  it('other errors of a guarded write stay what they are', async () => {
    const { employees, fences, account } = await opened()
    const fence = await fences.on(account).take(sales, 'import')
    await employees.insert({ ...jones })
    await expect(employees.insert({ ...jones }, fence.guard())).rejects.toMatchObject({
      code: 'EntityAlreadyExists',
    })
    const twice = employees
      .batch()
      .insert({ ...jones, id: 1 })
      .insert({ ...jones })
    await expect(twice.submit(fence.guard())).rejects.toThrow(BatchError)
  })

  it('queries never return fences, and they work beside indexes', async () => {
    const { Employee, fences } = worker()
    declareIndexes(Employee, { email: { rowKey: key`email_${'email'}`, unique: true } })
    const { account } = office()
    const employees = account.table(Employee)
    await employees.create()
    const fence = await fences.on(account).take(sales, 'import')
    await employees.insert({ ...jones }, fence.guard())
    expect(await employees.query().where(sales).count()).toBe(1)
    const rows = await account.table('employees').query().where({ partitionKey: 'Sales' }).count()
    expect(rows).toBe(3)
  })

  it('rejects a beginning that the keys of entities could have', () => {
    expect(() => declareFences(defineEmployee(), { beginning: 'emp' })).toThrow(ModelError)
  })
})
