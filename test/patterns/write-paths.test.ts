import {
  type Account,
  BulkError,
  type BulkSummary,
  defineEntity,
  key,
  lifetime,
  lifetimeOf,
  Operation,
  upgradeTable,
} from '@rowkey/mapper'
import {
  declareCopies,
  declareLargeValues,
  declareSummaries,
  type LargeValueStore,
} from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from './employees.ts'

const sales = { department: 'Sales' }
const schema = z.object({
  department: z.string(),
  id: z.string(),
  lastName: z.string(),
  salary: z.number(),
  photo: z.string().optional(),
  deletedOn: z.date().optional(),
  expiresOn: z.date().optional(),
})
const keys = { partitionKey: key`${'department'}`, rowKey: key`empid_${'id'}` }

/** Defines the employees of one program. */
function defineStaff(hasLifetime = false) {
  const times = lifetime({ deletedAt: 'deletedOn', expiresAt: 'expiresOn' })
  return defineEntity({ name: 'staff', ...keys, schema, ...(hasLifetime && { lifetime: times }) })
}

type Staff = ReturnType<typeof defineStaff>
const employee = (id: string, lastName: string, salary = 10) => ({ ...sales, id, lastName, salary })

/** Declares one pattern on a model. It returns what compares the rows of a table, and lists the differences. */
type Declare = (staff: Staff) => (account: Account, name: string) => Promise<readonly unknown[]>

const Department = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.string().optional(),
      managerName: z.string().optional(),
    }),
  })

async function storedStaff(account: Account, name: string) {
  const rows = await account.table(name).query().where({ partitionKey: 'Sales' }).toArray()
  return rows.filter(({ rowKey }) => rowKey.startsWith('empid_'))
}

const declarations: Readonly<Record<string, Declare>> = {
  summaries(staff) {
    const summaries = declareSummaries(staff, {
      all: { rowKey: key`all`, sums: ['salary'], sameSince: 1 },
      names: { rowKey: key`${'lastName'}`, sameSince: 1 },
    })
    return async (account, name) => {
      const table = summaries.on(account, { name })
      const { count, sums } = await table.get('all', sales)
      const rows = await storedStaff(account, name)
      const total = rows.reduce((sum, row) => sum + Number(row.get('salary')?.value), 0)
      const isRight = count === rows.length && sums.salary === total
      return [...(await table.verify()).findings, ...(isRight ? [] : [{ count, sums, total }])]
    }
  },
  copies(staff) {
    const department = Department()
    declareCopies(staff, department, {
      fields: { managerName: 'lastName' },
      source: ({ department: place, managerId: id }) =>
        id ? { department: place, id } : undefined,
      holders: () => [sales],
      sameSince: 1,
    })
    return async (account, name) => {
      const held = await account.table(department, name).find(sales)
      const rows = await storedStaff(account, name)
      const manager = rows.find(({ rowKey }) => rowKey === 'empid_1')
      const [is, should] = [held?.managerName, manager?.get('lastName')?.value]
      return held === undefined || is === should ? [] : [{ is, should }]
    }
  },
}

/** Opens a table with two employees and their department, as one program with a pattern does. */
async function opened(declare: Declare, hasLifetime = false) {
  const all = office()
  const staff = defineStaff(hasLifetime)
  const differences = declare(staff)
  const table = all.account.table(staff)
  await table.create()
  await all.account.createTable('copied')
  await table.insert(employee('1', 'Jones'))
  await table.insert(employee('2', 'Smith'))
  const department = { partitionKey: 'Sales', rowKey: 'department' }
  await all.account.table('staff').insert({ ...department, managerId: '1', managerName: 'Jones' })
  expect(await differences(all.account, 'staff')).toEqual([])
  return { ...all, staff, table, differences }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Every way to write, which changes employee 1. It returns the name of the table to compare, when it is another one. */
const paths: Readonly<Record<string, (opened: Opened) => PromiseLike<unknown>>> = {
  insert: ({ table }) => table.insert(employee('3', 'Jones')),
  merge: async ({ table }) => {
    const one = await table.get({ ...sales, id: '1' })
    one.lastName = 'Nobel'
    return table.merge(one)
  },
  'merge by any ETag': ({ table }) => table.merge(employee('1', 'Nobel', 7), { etag: '*' }),
  replace: async ({ table }) => {
    const one = await table.get({ ...sales, id: '1' })
    one.lastName = 'Nobel'
    return table.replace(one)
  },
  insertOrMerge: ({ table }) => table.insertOrMerge(employee('1', 'Nobel', 9)),
  insertOrReplace: ({ table }) => table.insertOrReplace(employee('1', 'Nobel', 9)),
  delete: ({ table }) => table.delete({ ...sales, id: '1' }, { etag: '*' }),
  deleteIfExists: ({ table }) => table.deleteIfExists({ ...sales, id: '1' }, { etag: '*' }),
  modify: ({ table }) =>
    table.modify({ ...sales, id: '1' }, (one) => {
      one.lastName = 'Nobel'
    }),
  'modify with orInsert': ({ table }) =>
    table.modify({ ...sales, id: '4' }, () => {}, { orInsert: employee('4', 'Nobel') }),
  'an operation': ({ table }) => table.execute(Operation.insertOrMerge(employee('1', 'Nobel'))),
  'several operations': ({ table }) =>
    table.execute([
      Operation.insertOrReplace(employee('1', 'Nobel')),
      Operation.delete(['Sales', 'empid_2'], { etag: '*' }),
    ]),
  batch: ({ table }) =>
    table
      .batch()
      .insertOrReplace(employee('1', 'Nobel', 3))
      .insert(employee('5', 'Nobel'))
      .delete({ ...sales, id: '2' }, { etag: '*' })
      .submit(),
  'bulk insertOrReplace': ({ table }) =>
    table.bulk().insertOrReplace([employee('1', 'Nobel'), employee('6', 'Jones')]),
  'bulk delete': ({ table }) => table.bulk().delete([{ ...sales, id: '1' }], { etag: '*' }),
  buffered: async ({ table }) => {
    const writer = table.buffered()
    const written = writer.insertOrReplace(employee('1', 'Nobel'))
    await writer.close()
    return written
  },
  'an exact write': ({ table }) =>
    table.insertOrReplace(employee('1', 'Nobel'), { exactWrites: true }),
  'deleteAll of a query': ({ table }) =>
    table
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .deleteAll(),
  'copyTo of a table': async ({ table, account }) => {
    await table.copyTo(account.table('copied'))
    return 'copied'
  },
}

const all = Object.entries(declarations).flatMap(([name, declare]) =>
  Object.keys(paths).map((path) => [name, path, declare] as const),
)

describe('every way to write', () => {
  it.each(all)('keeps the %s: %s', async (_, path, declare) => {
    const one = await opened(declare)
    const name = await paths[path]?.(one)
    expect(await one.differences(one.account, name === 'copied' ? name : 'staff')).toEqual([])
  })

  it.each(Object.entries(declarations))(
    'copyTo of a query rejects tables with %s',
    async (_, declare) => {
      const { table, account, staff } = await opened(declare)
      const copy = async () => table.query().where(sales).copyTo(account.table(staff, 'copied'))
      await expect(copy()).rejects.toThrow(/raw rows would not update them/)
    },
  )
})

describe('deletePartition', () => {
  it.each(Object.entries(declarations))('rejects tables with %s', async (_, declare) => {
    const { table, account } = await opened(declare)
    const before = await storedStaff(account, 'staff')
    await expect(table.deletePartition('Sales')).rejects.toThrow(/Use query\(\)\.where/)
    expect(await storedStaff(account, 'staff')).toEqual(before)
  })
})

describe('rows with a lifetime', () => {
  it.each(Object.entries(declarations))('keep the %s until they are swept', async (_, declare) => {
    const { table, account, differences } = await opened(declare, true)
    const lifetimes = lifetimeOf(table)
    const steps = [
      () => table.delete({ ...sales, id: '1' }, { etag: '*' }),
      () => lifetimes.restore({ ...sales, id: '1' }),
      () => table.insertOrReplace({ ...employee('2', 'Smith'), expiresOn: new Date(0) }),
      () => table.delete({ ...sales, id: '1' }, { etag: '*' }),
      () => lifetimes.sweep(),
    ]
    for (const step of steps) {
      await step()
      expect(await differences(account, 'staff')).toEqual([])
    }
    expect(await storedStaff(account, 'staff')).toEqual([])
  })
})

describe('upgradeTable', () => {
  it.each(Object.entries(declarations))('keeps the %s', async (_, declare) => {
    const { account } = await opened(declare)
    const Later = defineEntity({
      name: 'staff',
      ...keys,
      schema,
      version: 2,
      previous: defineStaff(),
      migrate: (one: z.output<typeof schema>) => ({ ...one, photo: undefined }),
    })
    const differences = declare(Later as unknown as Staff)
    const { upgraded } = await upgradeTable(account.table(Later))
    expect(upgraded).toBe(2)
    expect(await differences(account, 'staff')).toEqual([])
  })
})

/** Returns the error of a write, or of the first operation of a bulk write. */
async function failureOf(write: PromiseLike<unknown>): Promise<unknown> {
  try {
    const { failures = [] }: Partial<BulkSummary> = Object(await write)
    return failures[0]?.error
  } catch (error) {
    return error instanceof BulkError ? error.cause : error
  }
}

describe('a migration that changes a summed property', () => {
  it('needs another summary, because programs count a row as they read it', async () => {
    const { account } = await opened(declarations.summaries as Declare)
    const Later = defineEntity({
      name: 'staff',
      ...keys,
      schema,
      version: 2,
      previous: defineStaff(),
      migrate: (one: z.output<typeof schema>) => ({ ...one, salary: one.salary * 2 }),
    })
    const summaries = declareSummaries(Later, {
      all: { rowKey: key`all`, sums: ['salary'] },
    }).on(account)
    const upgrading = async () => upgradeTable(account.table(Later))
    await expect(upgrading()).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
    await summaries.drop('names')
    const old = String(await upgrading().catch(String))
    await summaries.drop(/drop\('(all\.\w+)'\)/.exec(old)?.[1] ?? '')
    await summaries.build()
    await upgradeTable(account.table(Later))
    expect(await summaries.get('all', sales)).toEqual({ count: 2, sums: { salary: 40 } })
  })
})

describe('an address of a value that the store does not have', () => {
  const wrong = {
    ...employee('1', 'Jones'),
    photo: 'devstoreaccount1/staff/Sales/empid_1/photo/missing',
  }
  const writes: Readonly<Record<string, (table: Staffed) => PromiseLike<unknown>>> = {
    insert: (table) =>
      table.insert({ ...wrong, id: '3', photo: 'devstoreaccount1/staff/Sales/empid_3/photo/x' }),
    merge: (table) => table.merge(wrong, { etag: '*' }),
    replace: (table) => table.replace(wrong, { etag: '*' }),
    insertOrMerge: (table) => table.insertOrMerge(wrong),
    insertOrReplace: (table) => table.insertOrReplace(wrong),
    modify: (table) =>
      table.modify({ ...sales, id: '1' }, (one) => {
        one.photo = wrong.photo
      }),
    operations: (table) => table.execute([Operation.insertOrReplace(wrong)]),
    batch: (table) => table.batch().insertOrReplace(wrong).submit(),
    bulk: (table) => table.bulk().insertOrReplace([wrong]),
  }

  async function withPhotos() {
    const { account } = office()
    const staff = defineStaff()
    const store: LargeValueStore = {
      put: async () => {},
      get: async () => undefined,
      has: async () => false,
      delete: async () => {},
      async *list() {},
    }
    declareLargeValues(staff, { property: 'photo', store: () => store })
    const table = account.table(staff)
    await table.create()
    await table.insert(employee('1', 'Jones'))
    return table
  }
  type Staffed = Awaited<ReturnType<typeof withPhotos>>

  it.each(Object.entries(writes))('rejects %s', async (_, write) => {
    const table = await withPhotos()
    expect(await failureOf(write(table))).toMatchObject({ code: 'InvalidLargeValue' })
    expect(await table.query().where(sales).toArray()).toEqual([
      expect.not.objectContaining({ photo: expect.anything() }),
    ])
  })
})
