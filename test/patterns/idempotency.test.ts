import { type Account, defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { office } from './employees.ts'

const defineStaff = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), title: z.string().optional() }),
  })

type Staff = ReturnType<typeof defineStaff>

const byTitle = key`title_${'title'}`
const declarations: Readonly<Record<string, (staff: Staff) => unknown>> = {
  summaries: (staff) => declareSummaries(staff, { byTitle: { rowKey: byTitle } }),
  'unique indexes': (staff) =>
    declareIndexes(staff, { byTitle: { rowKey: byTitle, unique: true } }),
  outbox: (staff) =>
    declareOutbox(staff, {
      messages: ({ after }) => [after ?? null],
      ...announcedTo(async () => {}),
    }),
}

/** A program with a declaration, as a second process runs it, too. */
function program(account: Account, name: string) {
  const staff = defineStaff()
  declarations[name]?.(staff)
  return account.table(staff)
}

describe('a write with an idempotency key', () => {
  it.each(Object.keys(declarations))(
    'is applied once when another process repeats it: %s',
    async (name) => {
      const { account, rival } = office()
      const staff = program(account, name)
      const other = program(rival(), name)
      await staff.create()
      const jones = { department: 'Sales', id: 1, title: 'dev' }
      const smith = { department: 'Sales', id: 2, title: 'lead' }
      for (const table of [staff, other]) {
        await table.insert({ ...jones }, { idempotencyKey: 'insert' })
        await table.insertOrReplace({ ...smith }, { idempotencyKey: 'upsert' })
        const pair = table.batch().insert({ ...jones, id: 3, title: 'a' })
        pair.insert({ ...jones, id: 4, title: 'b' })
        await pair.submit({ idempotencyKey: 'batch' })
      }
      const stored = await account.table('staff').query().allowTableScan().toArray()
      for (const table of [staff, other]) {
        await table.merge({ ...jones, title: 'boss' }, { etag: '*', idempotencyKey: 'merge' })
        await table.delete(['Sales', 'empid_000002'], { etag: '*', idempotencyKey: 'delete' })
      }
      const ids = (await staff.query().where({ department: 'Sales' }).toArray()).map(({ id }) => id)
      expect(ids).toEqual([1, 3, 4])
      expect(stored.filter(({ rowKey }) => rowKey.startsWith('empid_'))).toHaveLength(4)
      const reused = staff.insert({ ...jones, id: 9 }, { idempotencyKey: 'insert' })
      await expect(reused).rejects.toMatchObject({ code: 'IdempotencyKeyReused' })
    },
  )

  it('is not taken for the first write of a second catalogue', async () => {
    const { account, rival } = office()
    const programs = [account, rival()].map((each) => {
      const staff = defineStaff()
      declareSummaries(staff, { count: { rowKey: key`count_all` } })
      declareIndexes(staff, { byTitle: { rowKey: byTitle, unique: true } })
      return each.table(staff)
    })
    const [staff] = programs
    await staff?.create()
    for (const table of programs) {
      await table.insert({ department: 'Sales', id: 1, title: 'dev' }, { idempotencyKey: 'first' })
    }
    expect(await staff?.query().where({ department: 'Sales' }).count()).toBe(1)
    const same = { department: 'Sales', id: 2, title: 'dev' }
    await expect(staff?.insert(same)).rejects.toMatchObject({ code: 'UniqueValueTaken' })
  })

  it.each(Object.keys(declarations))(
    'deletes nothing when a repetition finds a new row: %s',
    async (name) => {
      const { account, rival } = office()
      const staff = program(account, name)
      const other = program(rival(), name)
      await staff.create()
      const target = ['Sales', 'empid_000001'] as const
      const options = { etag: '*', idempotencyKey: 'gone' }
      expect(await staff.deleteIfExists(target, options)).toBe(false)
      await other.insert({ department: 'Sales', id: 1, title: 'dev' })
      for (const table of [staff, other]) {
        expect(await table.deleteIfExists(target, options)).toBe(false)
      }
      expect(await staff.deleteIfExists(target, { ...options, idempotencyKey: 'new' })).toBe(true)
      expect(await other.deleteIfExists(target, { ...options, idempotencyKey: 'new' })).toBe(true)
      expect(await staff.find(target)).toBeUndefined()
    },
  )
})
