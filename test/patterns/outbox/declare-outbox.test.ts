import { localTableService } from '@rowkey/local'
import { Account, key, ModelError } from '@rowkey/mapper'
import {
  declareIndexes,
  declareOutbox,
  JobQueue,
  type OutboxPartition,
  tableQueue,
} from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'

interface Renamed {
  readonly id: number
  readonly was: string | undefined
  readonly is: string | undefined
}

/** A program whose employees announce changes of their names through an outbox. */
function program(account: Account, sleep: (ms: number) => Promise<void>, prefix = 'p') {
  let ids = 0
  const newId = () => `${prefix}${String(++ids).padStart(4, '0')}`
  const Employee = defineEmployee()
  const outbox = declareOutbox(Employee, {
    messages: ({ before, after }): readonly Renamed[] => {
      if (before?.lastName === after?.lastName) return []
      return [{ id: (after ?? before)?.id ?? 0, was: before?.lastName, is: after?.lastName }]
    },
    announce: (partition, delay) => jobs.send('outbox', partition, delay),
    settle: 60_000,
    newId,
  })
  const heard: Renamed[] = []
  const jobs = new JobQueue<{ outbox: OutboxPartition }>({
    queue: tableQueue(account, 'jobs', { table: 'queues', newId }),
    deadLetters: tableQueue(account, 'dead', { table: 'queues', newId }),
    handlers: {
      outbox: async (partition) => {
        await outbox.deliver(account, partition, async (message) => void heard.push(message))
      },
    },
    sleep,
  })
  return { Employee, employees: account.table(Employee), outbox, jobs, heard }
}

async function started() {
  const opened = office()
  const sleep = async (ms: number) => {
    opened.now += ms
  }
  const made = program(opened.account, sleep)
  await made.employees.create()
  await opened.account.createTable('queues')
  opened.sent.length = 0
  return { ...opened, ...made, sleep }
}

describe('declareOutbox', () => {
  it('R-148: stores messages in the transaction of their write, and delivers them', async () => {
    const { employees, jobs, heard, account } = await started()
    const employee = await employees.insert({ ...jones })
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    await employees.delete(employee)
    expect(await jobs.drain()).toMatchObject({ failed: 0, dead: 0 })
    expect(heard).toEqual([
      { id: 223, is: 'Jones' },
      { id: 223, was: 'Jones', is: 'Jonas' },
      { id: 223, was: 'Jonas' },
    ])
    expect(await account.table('employees').query().allowTableScan().count()).toBe(0)
  })

  it('a write without messages announces nothing', async () => {
    const { employees, sent, jobs } = await started()
    const employee = await employees.insert({ ...jones })
    await jobs.drain()
    sent.length = 0
    employee.age = 43
    await employees.merge(employee)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('a rejected write leaves no message', async () => {
    const { employees, jobs, heard } = await started()
    await employees.insert({ ...jones })
    await employees.insert({ ...jones, lastName: 'Other' }).catch(() => undefined)
    await jobs.drain()
    expect(heard).toEqual([{ id: 223, is: 'Jones' }])
  })

  it('queries of the table never read messages', async () => {
    const { employees } = await started()
    await employees.insert({ ...jones })
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(1)
  })

  it('works beside indexes of the same model', async () => {
    const Employee = defineEmployee()
    const announced: OutboxPartition[] = []
    declareIndexes(Employee, { email: { rowKey: key`email_${'email'}`, unique: true } })
    declareOutbox(Employee, {
      messages: () => ['changed'],
      announce: async (partition) => void announced.push(partition),
    })
    const { account, sent } = office()
    await account.table(Employee).create()
    sent.length = 0
    await account.table(Employee).insert({ ...jones })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    expect(rows.map(({ rowKey }) => rowKey.replace(/\d.*/, ''))).toEqual([
      'email_jonesj@contoso.com',
      'empid_',
      'outbox_',
    ])
    expect(announced).toEqual([{ table: 'employees', partitionKey: 'Sales', last: false }])
  })

  it.each(['before', 'after'] as const)(
    'R-148, R-150: a message is delivered exactly when its write is stored, whichever request the writer dies %s',
    async (dies) => {
      let deaths = 0
      for (let at = 1; at < 20; at++) {
        const { transport, connectionString } = localTableService()
        const clock = { now: 1_000_000 }
        let count = 0
        const dying: Transport = async (request, limits) => {
          count++
          if (count > at || (count === at && dies === 'before')) throw new Error('ended')
          const response = await transport(request, limits)
          if (count === at) throw new Error('ended')
          return response
        }
        const open = (through: Transport) =>
          new Account(
            tableService({
              connectionString: connectionString(),
              transport: through,
              retry: noRetry,
              now: () => clock.now,
            }),
          )
        const sleep = async (ms: number) => {
          clock.now += ms
        }
        const worker = program(open(transport), sleep, 'w')
        await worker.employees.create()
        await open(transport).createTable('queues')
        const writer = program(open(dying), sleep, 'd')
        const writing = writer.employees.insert({ ...jones })
        const isDone = await writing.then(
          () => true,
          () => false,
        )
        await worker.jobs.drain()
        const isStored =
          (await worker.employees.find({ department: 'Sales', id: 223 })) !== undefined
        expect(worker.heard).toEqual(isStored ? [{ id: 223, is: 'Jones' }] : [])
        if (isDone) break
        deaths++
      }
      // The announcement and the transaction, and what reads back a lost response.
      expect(deaths).toBeGreaterThanOrEqual(2)
    },
  )

  it('a write that commits after the first look is found by the second', async () => {
    const { employees, jobs, heard, between, outbox, account, Employee } = await started()
    between(
      ({ path }) => path.endsWith('$batch'),
      async () => {
        // The announcement is handled while the transaction is pending.
        await jobs.runOnce()
        expect(heard).toEqual([])
      },
    )
    await employees.insert({ ...jones })
    await jobs.drain()
    expect(heard).toEqual([{ id: 223, is: 'Jones' }])
    expect(await outbox.sweep(account, Employee.name ?? '', async () => {})).toBe(0)
  })

  it('sweep handles messages whose announcement was lost', async () => {
    const { employees, outbox, account, rival } = await started()
    await employees.insert({ ...jones })
    const all = await rival().table('queues').query().allowTableScan().toArray()
    for (const row of all) await rival().table('queues').delete(row, { etag: '*' })
    const swept: Renamed[] = []
    expect(await outbox.sweep(account, 'employees', async (each) => void swept.push(each))).toBe(1)
    expect(swept).toEqual([{ id: 223, is: 'Jones' }])
  })

  it('rejects a message that JSON cannot hold, and stores nothing', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareOutbox(Employee, {
      messages: ({ after }) => [{ id: BigInt(after?.id ?? 0) }],
      announce: async () => {},
    })
    const employees = account.table(Employee)
    await employees.create()
    await expect(employees.insert({ ...jones })).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
    expect(await employees.find(jones)).toBeUndefined()
  })

  it('rejects messages that are not an array', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareOutbox(Employee, { messages: () => undefined as never, announce: async () => {} })
    const employees = account.table(Employee)
    await employees.create()
    await expect(employees.insert({ ...jones })).rejects.toThrow(
      /outbox of employees needs an array/,
    )
  })

  it('rejects a message that is undefined, and stores nothing', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareOutbox(Employee, { messages: () => [undefined], announce: async () => {} })
    const employees = account.table(Employee)
    await employees.create()
    await expect(employees.insert({ ...jones })).rejects.toThrow(/not undefined/)
    expect(await employees.find(jones)).toBeUndefined()
  })

  it('names the row that another program stored among the messages', async () => {
    const { account, outbox, employees } = await started()
    const row = { partitionKey: 'Sales', rowKey: 'outbox_1', Message: '{' }
    await account.table('employees').insert(row)
    const partition = { table: 'employees', partitionKey: 'Sales', last: true }
    await expect(outbox.pending(account, partition)).rejects.toMatchObject({
      code: 'UnreadableKeptRow',
      details: { rowKey: 'outbox_1' },
    })
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(0)
  })

  it('rejects a beginning that the keys of entities could have', () => {
    const declare = () =>
      declareOutbox(defineEmployee(), {
        beginning: 'emp',
        messages: () => [],
        announce: async () => {},
      })
    expect(declare).toThrow(ModelError)
  })
})
