import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareIndexes,
  declareLargeValues,
  declareSummaries,
  tableQueue,
  worker,
} from '@rowkey/patterns'
import { type LocationMode, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const sales = { department: 'Sales' }
const jones = { ...sales, id: '1', name: 'Jones' }

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
