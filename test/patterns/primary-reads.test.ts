import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  chunkStore,
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  memoryQueue,
  tableQueue,
  wideEntity,
  worker,
} from '@rowkey/patterns'
import { type HttpRequest, type LocationMode, noRetry, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { program } from './indexes/followed-staff.ts'

/** An account whose reads go to the secondary first, and its requests. */
function opened() {
  const { transport, connectionString } = localTableService()
  const sent: HttpRequest[] = []
  const account = new Account(
    tableService({
      connectionString: connectionString(),
      locationMode: 'secondaryThenPrimary',
      transport: async (request, limits) => {
        sent.push(request)
        return transport(request, limits)
      },
      retry: noRetry,
      sleep: async () => {},
    }),
  )
  return { account, sent }
}

const sales = { department: 'Sales' }
const jones = { ...sales, id: '1', name: 'Jones' }

/** Stores one employee, and returns what the test runs. */
type Prepare = (account: Account) => Promise<() => Promise<unknown>>

const staffed = async (account: Account) => {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`id_${'id'}`,
    schema: z.object({ department: z.string(), id: z.string(), name: z.string() }),
  })
  const staff = account.table(Employee)
  await staff.create()
  return { Employee, staff }
}

type Call = readonly [name: string, prepare: Prepare]

const calls: readonly Call[] = [
  [
    'a build of indexes and a write beside them',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const indexes = declareIndexes(Employee, { name: { rowKey: key`name_${'name'}_${'id'}` } })
      return async () => {
        await indexes.on(account).build()
        await staff.insertOrReplace({ ...jones })
        await indexes.on(account).verify()
      }
    },
  ],
  [
    'a repair of summaries',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      await staff.insert({ ...jones })
      const summaries = declareSummaries(Employee, { all: { rowKey: key`all` } })
      return () => summaries.on(account).repair()
    },
  ],
  [
    'the first write of a table with summaries',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      await account.table('staff').insert(new DynamicEntity('Sales', 'id_0', { name: 'Smith' }))
      declareSummaries(Employee, { all: { rowKey: key`all` } })
      return () => staff.insert({ ...jones })
    },
  ],
  [
    'refresh of eventual indexes',
    async (account) => {
      const { employees, indexed } = program(account)
      await employees.create()
      for (const table of ['lookups', 'queues']) await account.createTable(table)
      await indexed.build()
      const jon = { department: 'Sales', id: 1, firstName: 'Jon', email: 'jon@contoso.com' }
      await employees.insert(jon)
      return () => indexed.refresh(jon)
    },
  ],
  ...(['fill', 'refresh', 'repair'] as const).map(
    (method): Call => [
      `${method} of copies`,
      async (account) => {
        const { Employee, staff } = await staffed(account)
        const Department = defineEntity({
          name: 'departments',
          partitionKey: key`${'department'}`,
          rowKey: key`department`,
          schema: z.object({ department: z.string(), managerName: z.string().optional() }),
        })
        const managers = declareCopies(Employee, Department, {
          fields: { managerName: 'name' },
          source: ({ department }) => ({ department, id: '1' }),
          holders: ({ department }) => [{ department }],
          worker: announcedTo().worker,
        })
        await account.table(Department).create()
        await staff.insert({ ...jones })
        await account.table(Department).insert({ ...sales })
        const copies = managers.on(account)
        return () => (method === 'repair' ? copies.repair() : copies[method]({ ...sales }))
      },
    ],
  ),
  [
    'a look at a table queue',
    async (account) => {
      await account.createTable('queues')
      const queue = tableQueue(account, 'jobs', { table: 'queues' })
      await queue.send('a')
      return () => queue.receive({ count: 1, visibility: 1_000 })
    },
  ],
  [
    'the depth of a table queue',
    async (account) => {
      await account.createTable('queues')
      const queue = tableQueue(account, 'jobs', { table: 'queues' })
      return () => queue.depth()
    },
  ],
  [
    'drain of an outbox',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const queue = memoryQueue('jobs')
      const outbox = declareOutbox(Employee, {
        messages: () => ['a'],
        ...announcedTo((partition) => queue.send(JSON.stringify(partition))),
      })
      await staff.insert({ ...jones })
      return () => outbox.on(account).drain()
    },
  ],
  ...(['save', 'sweep'] as const).map(
    (method): Call => [
      `${method} of large values in chunks`,
      async (account) => {
        const { Employee, staff } = await staffed(account)
        await account.createTable('values')
        const values = declareLargeValues(Employee, {
          property: 'name',
          store: (used) => chunkStore(used, { table: 'values' }),
        }).on(account)
        const employee = { ...jones }
        await values.stage(employee, new Uint8Array(1))
        const stored = await staff.insert(employee)
        await values.stage({ ...employee }, new Uint8Array(1))
        return () =>
          method === 'save'
            ? values.save(stored, new Uint8Array(2))
            : values.sweep({ olderThan: 0 })
      },
    ],
  ),
  [
    'modify of a wide entity',
    async (account) => {
      const { Employee } = await staffed(account)
      const More = defineEntity({
        name: 'staff',
        partitionKey: key`${'department'}`,
        rowKey: key`more_${'id'}`,
        schema: z.object({ department: z.string(), id: z.string(), note: z.string().optional() }),
      })
      const employees = wideEntity(Employee, More).on(account)
      await employees.insert({ ...jones, note: 'x' })
      return () =>
        employees.modify(jones, (employee) => {
          employee.note = 'y'
        })
    },
  ],
]

describe('at an account that reads at the secondary first', () => {
  it.each(calls)(
    '%s reads only at the primary, because it decides what is written',
    async (_, prepare) => {
      const { account, sent } = opened()
      const run = await prepare(account)
      sent.length = 0
      await run()
      expect(sent.some(({ method }) => method === 'GET')).toBe(true)
      expect(sent.filter(({ path }) => path.startsWith('/devstoreaccount1-secondary'))).toEqual([])
    },
  )
})

/** Two programs on an account whose secondary has the tables and nothing else: one reads at the primary, the other not. */
async function regions() {
  let time = 1_700_000_000_000
  const now = () => time
  const { transport, connectionString } = localTableService({ now, replication: { lag: 60_000 } })
  const open = (locationMode: LocationMode) =>
    new Account(
      tableService({ connectionString: connectionString(), transport, locationMode, now }),
    )
  const account = open('primaryOnly')
  const { Employee } = await staffed(account)
  for (const table of ['queues', 'values']) await account.createTable(table)
  const pass = (): void => {
    time += 60_000
  }
  pass()
  return { account, behind: open('secondaryThenPrimary'), Employee, pass }
}

describe('while the secondary lags behind', () => {
  it('summaries of a table that has rows are not readable before they are built', async () => {
    const { account, behind, Employee } = await regions()
    await account.table(Employee).insert({ ...jones })
    const summaries = declareSummaries(Employee, { all: { rowKey: key`all` } })
    await behind.table(Employee).insert({ ...jones, id: '2' })
    await expect(summaries.on(account).get('all', sales)).rejects.toMatchObject({
      code: 'NotReadable',
    })
    await summaries.on(behind).build()
    expect((await summaries.on(account).get('all', sales)).count).toBe(2)
  })

  it('drain does the jobs that were sent', async () => {
    const { behind } = await regions()
    const done: number[] = []
    const jobs = worker<{ job: number }>({
      queue: () => tableQueue(behind, 'jobs', { table: 'queues' }),
      deadLetters: () => tableQueue(behind, 'dead', { table: 'queues' }),
      handlers: { job: async (number) => void done.push(number) },
    }).on(behind)
    for (const number of [1, 2]) await jobs.send('job', number)
    expect(await jobs.drain()).toEqual({ done: 2, failed: 0, dead: 0 })
    expect(done.toSorted()).toEqual([1, 2])
  })

  it('a large value is loaded that was saved just now, also by an entity that was read before', async () => {
    const { account, behind, Employee } = await regions()
    const staff = behind.table(Employee)
    const values = declareLargeValues(Employee, {
      property: 'name',
      store: (used) => chunkStore(used, { table: 'values' }),
    }).on(behind)
    const employee = { ...jones }
    await values.stage(employee, new Uint8Array([1]))
    const stored = await staff.insert(employee)
    const read = await account.table(Employee).get(['Sales', 'id_1'])
    expect(await values.load(stored)).toEqual(new Uint8Array([1]))
    await values.save(stored, new Uint8Array([2]))
    expect(await values.load(read)).toEqual(new Uint8Array([2]))
  })

  it('an entity is found by the unique value that it got just now', async () => {
    const { behind, Employee, pass } = await regions()
    const byName = { rowKey: key`name_${'name'}`, unique: true } as const
    const indexed = declareIndexes(Employee, { byName }).on(behind)
    await indexed.build()
    const staff = behind.table(Employee)
    const employee = await staff.insert({ ...jones })
    pass()
    employee.name = 'Smith'
    await staff.merge(employee)
    expect(await indexed.find('byName', { ...sales, name: 'Smith' })).toMatchObject({ id: '1' })
  })
})
