import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { declareCopies, declareIndexes, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay, longTest } from '../support/cases-to-play.ts'
import { announcedTo } from './announcing.ts'

const sales = { department: 'Sales' }
const TITLES = ['dev', 'ops', undefined] as const
const NAMES = ['Jones', 'Smith', 'Nobel'] as const

/** A program whose employees have every pattern that keeps rows beside them. */
function program(rowKey: 'plain' | 'beginning') {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: rowKey === 'plain' ? key`${'id'}` : key`empid_${'id'}`,
    discriminator: { type: 'Employee' },
    schema: z.object({
      department: z.string(),
      id: z.string(),
      lastName: z.string(),
      title: z.string().optional(),
      email: z.string().optional(),
      salary: z.number().default(0),
    }),
  })
  const Department = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.string().optional(),
      managerName: z.string().optional(),
    }),
  })
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    title: { rowKey: key`${'title'}_${'id'}`, project: ['salary'] },
  })
  const summaries = declareSummaries(Employee, {
    staff: { rowKey: key`all`, sums: ['salary'] },
    titles: { rowKey: key`${'title'}` },
  })
  const managers = declareCopies(Employee, Department, {
    fields: { managerName: 'lastName' },
    source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
    holders: () => [sales],
  })
  declareOutbox(Employee, {
    messages: ({ before, after }) => (before?.email === after?.email ? [] : [after?.email]),
    ...announcedTo(),
  })
  return { Employee, Department, indexes, summaries, managers }
}

/** A service, and accounts whose programs may end before or after any request. */
function service(random: (below: number) => number) {
  const { transport, connectionString } = localTableService()
  const open = (through: Transport) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: through,
        retry: noRetry,
        random: () => random(100) / 100,
        sleep: async () => {},
      }),
    )
  const mortal: Transport = async (request, limits) => {
    const fate = random(60)
    if (fate === 0) throw new Error('ended before')
    const response = await transport(request, limits)
    if (fate === 1) throw new Error('ended after')
    return response
  }
  return { safe: open(transport), mortal: () => open(mortal) }
}

function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** Writes one employee in a random way. */
async function writeOne(
  { Employee }: ReturnType<typeof program>,
  account: Account,
  random: (below: number) => number,
): Promise<void> {
  const staff = account.table(Employee)
  const title = TITLES[random(3)]
  const made = {
    ...sales,
    id: String(random(5)),
    lastName: NAMES[random(3)] ?? 'Jones',
    salary: random(100),
    ...(title !== undefined && { title }),
    ...(random(2) === 0 && { email: `${random(4)}@contoso.com` }),
  }
  const writes = [
    () => staff.insert(made),
    () => staff.insertOrReplace(made),
    () => staff.insertOrMerge(made),
    () => staff.deleteIfExists(made, { etag: '*' }),
    () =>
      staff
        .batch()
        .insertOrReplace(made)
        .insertOrMerge({ ...made, id: '9', email: undefined })
        .submit(),
    () =>
      staff.modify(made, (each) => {
        each.lastName = made.lastName
        each.salary += 1
      }),
  ] as const
  await (writes[random(6)] ?? writes[0])()
}

/** Everything that the declarations keep, compared with the employees. */
async function differences(
  { Employee, Department, indexes, summaries, managers }: ReturnType<typeof program>,
  account: Account,
) {
  const { found } = await indexes.on(account).verify()
  const staff = await account.table(Employee).query().where(sales).toArray()
  const { count } = await summaries.on(account).get('staff', sales)
  const department = await account.table(Department).find(sales)
  const manager = staff.find(({ id }) => id === department?.managerId)
  return {
    index: found,
    summaries: (await summaries.on(account).verify()).findings,
    count: count - staff.length,
    manager: department?.managerName === manager?.lastName ? 'right' : managers,
  }
}

const nothing = { index: 0, summaries: [], count: 0, manager: 'right' }

describe.each(['beginning', 'plain'] as const)(
  'all patterns on one model, with a %s RowKey',
  (rowKey) => {
    longTest.each(casesToPlay([1, 2, 3]))(
      'R-146, R-151, R-166: random writes of programs that end at any request leave no difference (seed %i)',
      async (seed) => {
        const random = randomOf(seed)
        const { safe, mortal } = service(random)
        const own = program(rowKey)
        await safe.table(own.Employee).create()
        await own.indexes.on(safe).build()
        await safe.table(own.Employee).insert({ ...sales, id: '1', lastName: 'Jones' })
        const department = await own.managers.on(safe).fill({ ...sales, managerId: '1' })
        await safe.table(own.Department).insert(department)
        let failures = 0
        for (let round = 0; round < 12; round++) {
          const rivals = [0, 1, 2].map(() => writeOne(program(rowKey), mortal(), random))
          for (const { status } of await Promise.allSettled(rivals)) {
            if (status === 'rejected') failures++
          }
          if (round % 4 === 3) expect(await differences(own, safe)).toEqual(nothing)
        }
        expect(failures).toBeGreaterThan(0)
      },
    )
  },
)

describe('RowKeys without a beginning', () => {
  it('rejects the mark of kept rows, which reads leave out', async () => {
    const { Employee } = program('plain')
    const { safe } = service(() => 0)
    const staff = safe.table(Employee)
    await staff.create()
    const insert = staff.insert({ ...sales, id: '~rk~ix~x', lastName: 'Jones' })
    await expect(insert).rejects.toMatchObject({ code: 'ReservedKey' })
  })
})
