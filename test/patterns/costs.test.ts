import { defineEntity, key, series, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { chunkStore, declareLargeValues, periodTables, wideEntity } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { counted, defineDepartment, defineEmployee, inDepartment, jones, sales } from './costs.ts'

describe('the costs that the pages of patterns show', () => {
  it('R-155: a data series, and a row for each value', async () => {
    const { account, costOf } = counted()
    const Stats = defineEntity({
      name: 'stats',
      partitionKey: key`${'employee'}`,
      rowKey: key`${'day'}`,
      schema: z.object({
        employee: z.string(),
        day: z.string(),
        hours: z.array(z.int32().optional()),
      }),
      columns: { hours: series('Int32', 24) },
      storeAs: { hours: 'h' },
    })
    const Hour = defineEntity({
      name: 'hours',
      partitionKey: key`${'employee'}`,
      rowKey: key`${'day'}_${'hour:2'}`,
      schema: z.object({ employee: z.string(), day: z.string(), hour: z.int(), count: z.int32() }),
    })
    const stats = account.table(Stats)
    const hours = account.table(Hour)
    await stats.create()
    await hours.create()
    const today = { employee: 'jones', day: '2026-11-22' }
    const day = Array.from({ length: 24 }, () => 12)
    const nine = Array.from({ length: 10 }, (_, hour) => (hour === 9 ? 12 : undefined))
    const rows = day.map((count, hour) => ({ ...today, hour, count }))
    expect({
      set: await costOf(() => stats.insertOrMerge({ ...today, hours: nine })),
      row: await costOf(() => hours.insertOrReplace({ ...today, hour: 9, count: 12 })),
      add: await costOf(() =>
        stats.modify(today, ({ hours }) => {
          hours[9] = (hours[9] ?? 0) + 1
        }),
      ),
      setAll: await costOf(() => stats.insertOrMerge({ ...today, hours: day })),
      rows: await costOf(() => hours.bulk().insertOrReplace(rows)),
      read: await costOf(() => stats.get(today)),
      query: await costOf(() => hours.query().where(today).toArray()),
    }).toEqual({
      set: [1, 55, 0],
      row: [1, 60, 0],
      add: [2, 55, 232],
      setAll: [1, 262, 0],
      rows: [1, 8_684, 7_318],
      read: [1, 0, 439],
      query: [1, 0, 4_100],
    })
  })

  it('R-156: a wide entity, and two rows by hand', async () => {
    const { account, costOf } = counted()
    const key2 = { department: z.string(), id: z.int() }
    const parts = { name: 'people', partitionKey: key`${'department'}` }
    const Person = defineEntity({
      ...parts,
      rowKey: key`${'id:6'}_01`,
      schema: z.object({ ...key2, name: z.string(), title: z.string().optional() }),
    })
    const Papers = defineEntity({
      ...parts,
      rowKey: key`${'id:6'}_02`,
      schema: z.object({ ...key2, contract: z.string().optional() }),
    })
    await account.createTable('people')
    const employees = wideEntity(Person, Papers).on(account)
    const rows = account.table('people')
    const entity = { ...sales, id: 223, name: 'Jones', contract: 'four pages' }
    const insert = await costOf(() => employees.insert(entity))
    const one = await employees.get(entity)
    one.title = 'Manager'
    const save = await costOf(() => employees.save(one))
    Object.assign(one, { title: 'Director', contract: 'five pages' })
    const [first, second] = ['000224_01', '000224_02']
    const merged = new DynamicEntity('Sales', '000224_01', { title: 'Manager' })
    expect({
      insert,
      insertByHand: await costOf(() =>
        rows
          .batch()
          .insert({ partitionKey: 'Sales', rowKey: first, name: 'Jones' })
          .insert({ partitionKey: 'Sales', rowKey: second, contract: 'four pages' })
          .submit(),
      ),
      get: await costOf(() => employees.get(entity)),
      save,
      saveByHand: await costOf(() => rows.merge(merged, { etag: '*' })),
      saveTwo: await costOf(() => employees.save(one)),
    }).toEqual({
      insert: [1, 807, 1_312],
      insertByHand: [1, 807, 1_312],
      get: [2, 0, 511],
      save: [1, 63, 0],
      saveByHand: [1, 63, 0],
      saveTwo: [1, 953, 851],
    })
  })

  it('R-157: a large value of 2,000,000 bytes in chunk rows', async () => {
    const { account, costOf } = counted()
    await account.createTable('photos')
    const Employee = defineEntity({
      ...inDepartment,
      rowKey: key`${'id:6'}`,
      schema: z.object({
        department: z.string(),
        id: z.int(),
        photo: z.string().optional(),
      }),
    })
    const store = chunkStore(account, { table: 'photos' })
    const photos = declareLargeValues(Employee, { property: 'photo', store: () => store }).on(
      account,
    )
    const employees = account.table(Employee)
    await employees.create()
    const one = await employees.insert({ ...sales, id: 223 })
    const bytes = new Uint8Array(2_000_000)
    const save = await costOf(() => photos.save(one, bytes))
    const load = await costOf(() => photos.load(one))
    const saveAgain = await costOf(() => photos.save(one, bytes))
    await employees.delete(one)
    const sweep = await costOf(() => photos.sweep({ olderThan: 0 }))
    expect({ save, load, saveAgain, sweep }).toEqual({
      save: [6, 2_668_855, 325],
      load: [1, 0, 2_669_205],
      saveAgain: [11, 2_668_855, 1_388],
      sweep: [7, 0, 2_328],
    })
  })

  it('R-153: the 10 newest of 500 rows', async () => {
    const { account, costOf } = counted()
    const schema = z.object({
      employee: z.string(),
      at: z.date(),
      id: z.string(),
      amount: z.number(),
    })
    const parts = { partitionKey: key`${'employee'}`, schema }
    const Newest = defineEntity({ ...parts, name: 'newest', rowKey: key`${'at:inverted'}_${'id'}` })
    const Oldest = defineEntity({ ...parts, name: 'oldest', rowKey: key`${'at:time'}_${'id'}` })
    const employee = 'jones'
    const rows = Array.from({ length: 500 }, (_, day) => {
      const at = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000)
      return { employee, at, id: `e${day}`, amount: day }
    })
    for (const model of [Newest, Oldest]) {
      await account.table(model).create()
      await account.table(model).bulk().insert(rows)
    }
    const oldest = account.table(Oldest).query().where({ employee })
    expect({
      latest: await costOf(() =>
        account.table(Newest).query().where({ employee }).take(10).toArray(),
      ),
      byHand: await costOf(() => oldest.toArray()),
    }).toEqual({ latest: [1, 0, 1_909], byHand: [1, 0, 95_729] })
  })

  it('R-154: tables for each day, and one table', async () => {
    const { account, costOf } = counted()
    const Login = defineEntity({
      name: 'logins',
      partitionKey: key`${'user'}`,
      rowKey: key`${'at:time'}`,
      schema: z.object({ user: z.string(), at: z.date() }),
    })
    const at = (day: number, n: number) => new Date(Date.UTC(2026, 10, day) + n * 1_000)
    const logins = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: (login) => login.at,
    }).on(account)
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ user: `user${n % 10}`, at: at(18, n) }))
    const one = account.table(Login)
    await one.create()
    await one.bulk().insert(rows)
    const insertFirst = await costOf(() => logins.insert({ user: 'jones', at: at(18, 0) }))
    const insert = await costOf(() => logins.insert({ user: 'jones', at: at(18, 1) }))
    await logins.tableAt(at(18, 0)).bulk().insert(rows)
    expect({
      insertFirst,
      insert,
      drop: await costOf(() => logins.dropBefore(at(19, 0))),
      deleteAll: await costOf(() => one.query().allowTableScan().deleteAll()),
    }).toEqual({
      insertFirst: [3, 158, 196],
      insert: [1, 64, 0],
      drop: [2, 0, 135],
      deleteAll: [11, 345_046, 371_675],
    })
  })

  it('R-158: 16 buckets, and one partition', async () => {
    const { account, costOf } = counted()
    const log = { at: z.date(), id: z.string(), day: z.date() }
    const Spread = defineEntity({
      name: 'spread',
      partitionKey: key`${'day:date'}_${'bucket:2'}`,
      rowKey: key`${'at:inverted'}_${'id'}`,
      schema: z.object({ ...log, bucket: z.int() }),
    })
    const Hot = defineEntity({
      name: 'hot',
      partitionKey: key`${'day:date'}`,
      rowKey: key`${'at:inverted'}_${'id'}`,
      schema: z.object(log),
    })
    const day = new Date('2026-11-20')
    const entry = (n: number) => ({ day, at: new Date(day.getTime() + n), id: `entry-${n}` })
    const spread = account.table(Spread)
    const hot = account.table(Hot)
    await spread.create()
    await hot.create()
    const rows = Array.from({ length: 500 }, (_, n) => entry(n))
    await hot.bulk().insert(rows)
    await spread.bulk().insert(rows.map((row, n) => ({ ...row, bucket: n % 16 })))
    const buckets = Array.from({ length: 16 }, (_, bucket) => ({ bucket }))
    const newest = spread
      .query()
      .where({ day })
      .parallel({ ranges: buckets, order: 'rowKeys' })
      .take(3)
    expect({
      insert: await costOf(() => spread.insert({ ...entry(500), bucket: 4 })),
      insertHot: await costOf(() => hot.insert(entry(500))),
      newest: await costOf(() => newest.toArray()),
      newestHot: await costOf(() => hot.query().where({ day }).take(3).toArray()),
    }).toEqual({
      insert: [1, 73, 0],
      insertHot: [1, 70, 0],
      newest: [16, 0, 9_964],
      newestHot: [1, 0, 604],
    })
  })

  it('R-160: several types in one table, and a table for each type', async () => {
    const { account, costOf } = counted()
    const [Employee, Department] = [defineEmployee(), defineDepartment()]
    await account.createTable('staff')
    const table = account.table('staff', union(Department, Employee))
    const departments = account.table(Department, 'departments')
    const employees = account.table(Employee, 'employees')
    await departments.create()
    await employees.create()
    expect({
      write: await costOf(() =>
        table.batch().insert(Department, sales).insert(Employee, jones).submit(),
      ),
      writeTwo: await costOf(async () => {
        await departments.insert(sales)
        await employees.insert(jones)
      }),
      read: await costOf(() => table.query().where(sales).toArray()),
      readTwo: await costOf(async () => {
        await departments.get(sales)
        await employees.query().where(sales).toArray()
      }),
    }).toEqual({
      write: [1, 789, 1_316],
      writeTwo: [2, 113, 0],
      read: [1, 0, 401],
      readTwo: [2, 0, 480],
    })
  })
})
