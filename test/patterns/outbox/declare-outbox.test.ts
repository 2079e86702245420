import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, ModelError } from '@rowkey/mapper'
import { declareIndexes, declareOutbox } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { type Announced, announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'
import { crewWorker, program, started } from './renamed-employees.ts'

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
    const left = await account.table('employees').query().allowTableScan().toArray()
    expect(left.map(({ rowKey }) => rowKey)).toEqual(['~rk~ob~empid_~outbox~.'])
  })

  it('queries of the table never read messages', async () => {
    const { employees } = await started()
    await employees.insert({ ...jones })
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(1)
  })

  it('works beside indexes of the same model', async () => {
    const Employee = defineEmployee()
    const announced: Announced[] = []
    declareIndexes(Employee, { email: { rowKey: key`${'email'}`, unique: true } })
    declareOutbox(Employee, {
      messages: () => ['changed'],
      ...announcedTo(async (partition) => void announced.push(partition)),
    })
    const { account, sent } = office()
    await account.table(Employee).create()
    sent.length = 0
    await account.table(Employee).insert({ ...jones })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    expect(rows.map(({ rowKey }) => rowKey)).toEqual([
      'empid_000223',
      expect.stringMatching(/^~rk~ix~empid_~email\.[0-9a-f]{8}~jonesj@contoso.com$/),
      '~rk~ob~empid_~outbox~.',
      '~rk~ob~empid_~outbox~0000000000000001_000',
      '~rk~cat~empid_~',
    ])
    const ticket = expect.any(String)
    const place = { table: 'employees', partitionKey: 'Sales' }
    expect(announced).toEqual([{ ...place, ticket, known: '' }])
  })

  it.each(['before', 'after'] as const)(
    'R-148, R-150: a message is delivered exactly when its write is stored, whichever request the writer dies %s',
    async (dies) => {
      let deaths = 0
      for (let at = 1; at < 20; at++) {
        const { transport, connectionString } = localTableService()
        const clock = { now: 1_000_000 }
        const { step } = mortal(at, dies)
        const dying: Transport = (request, limits) => step(() => transport(request, limits))
        const open = (through: Transport) =>
          new Account(
            tableService({
              connectionString: connectionString(),
              transport: through,
              retry: noRetry,
              now: () => clock.now,
              sleep: async (ms) => {
                clock.now += ms
              },
            }),
          )
        const worker = program(open(transport))
        await worker.employees.create()
        await open(transport).createTable('queues')
        const writer = program(open(dying))
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

  it('a write that commits after the first look of its job is found by the second', async () => {
    const { employees, jobs, heard, between, outbox, account } = await started()
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
    expect(await outbox.on(account).drain()).toBe(0)
  })

  it('delivers the messages of a batch in its order, and transactions in theirs', async () => {
    const { employees, jobs, heard } = await started()
    const ids = [5, 3, 9, 1, 7]
    const batch = employees.batch()
    for (const id of ids) batch.insert({ ...jones, id, email: `${id}@contoso.com` })
    await batch.submit()
    // The clock of the tests stands still: the order does not come from it.
    for (const lastName of ['A', 'B', 'C', 'D']) {
      await employees.modify({ department: 'Sales', id: 9 }, (employee) => {
        employee.lastName = lastName
      })
    }
    await jobs.drain()
    expect(heard.map(({ id, is }) => (id === 9 ? is : id))).toEqual([
      5,
      3,
      'Jones',
      1,
      7,
      'A',
      'B',
      'C',
      'D',
    ])
  })

  longTest('four workers and 150 messages make 150 deliveries', async () => {
    // Time stands still, so that no job is delivered again.
    const { transport, connectionString } = localTableService()
    const open = () =>
      new Account(
        tableService({
          connectionString: connectionString(),
          transport,
          retry: noRetry,
          now: () => 1_000_000_000_000,
          sleep: () => new Promise(setImmediate),
        }),
      )
    const { employees, heard, jobs } = program(open())
    await Promise.all([employees.create(), open().createTable('queues')])
    for (let id = 0; id < 150; id++) await employees.insert({ ...jones, id, email: `${id}` })
    const workers = [open(), open(), open()].map((each) => program(each))
    const all = [jobs, ...workers.map((each) => each.jobs)]
    const tallies = await Promise.all(all.map((each) => each.drain()))
    expect(tallies.reduce((sum, { failed, dead }) => sum + failed + dead, 0)).toBe(0)
    expect([heard, ...workers.map((each) => each.heard)].flat()).toHaveLength(150)
  })

  it('a message whose handler always fails becomes one dead letter, and others go on', async () => {
    const { account } = await started()
    const Employee = defineEmployee()
    const work = crewWorker()
    const calls: [id: number, attempt: number, message: string][] = []
    const outbox = declareOutbox(Employee, {
      messages: ({ before, after }) => [{ id: (after ?? before)?.id ?? 0 }],
      handle: async ({ id }, delivery) => {
        calls.push([id, delivery.attempt, delivery.id])
        if (id === 2 && isPoisoned) throw new TypeError('poison')
      },
      worker: work,
    })
    let isPoisoned = true
    const jobs = work.on(account)
    const crew = account.table(Employee)
    for (const id of [1, 2, 3]) await crew.insert({ ...jones, id, email: `${id}` })
    const second = await crew.get({ department: 'Sales', id: 2 })
    second.age = 70
    await crew.merge(second)
    expect(await jobs.drain()).toMatchObject({ failed: 0, dead: 0 })
    expect(calls.map(([id, attempt]) => [id, attempt])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      ...[2, 3, 4, 5].map((attempt) => [2, attempt]),
      ...[1, 2, 3, 4, 5].map((attempt) => [2, attempt]),
    ])
    const dead = await outbox.on(account).deadLetters({ department: 'Sales' })
    expect(dead).toMatchObject([
      { kind: 'employees', payload: { id: 2 }, attempts: 5, reason: 'TypeError: poison' },
      { payload: { id: 2 }, attempts: 5 },
    ])
    expect(new Set(calls.filter(([id]) => id === 2).map(([, , id]) => id)).size).toBe(2)
    isPoisoned = false
    calls.length = 0
    expect(await outbox.on(account).retryDead({ department: 'Sales' })).toBe(2)
    await jobs.drain()
    expect(calls.map(([id, attempt]) => [id, attempt])).toEqual([
      [2, 1],
      [2, 1],
    ])
    expect(calls.map(([, , id]) => id)).toEqual(dead.map(({ id }) => id))
    expect(await outbox.on(account).deadLetters({ department: 'Sales' })).toEqual([])
  })

  it('the messages of a later write do not wait with one that failed', async () => {
    const { account, opened } = await started()
    const Employee = defineEmployee()
    const work = crewWorker()
    const handled: number[] = []
    const outbox = declareOutbox(Employee, {
      messages: ({ after }) => [after?.id ?? 0],
      handle: async (id) => {
        if (id === 1) throw new TypeError('not yet')
        handled.push(id)
      },
      worker: work,
    })
    const jobs = work.on(account)
    const crew = account.table(Employee)
    await crew.insert({ ...jones, id: 1 })
    for (const wait of [0, 1_000, 2_000]) {
      opened.now += wait
      await jobs.runOnce()
    }
    for (const id of [2, 3]) await crew.insert({ ...jones, id, email: `${id}` })
    await jobs.runOnce()
    expect(handled).toEqual([2, 3])
    // One job came with the two writes, and one comes when the first message is due.
    expect(await jobs.depth()).toMatchObject({ messages: 2 })
    await jobs.drain()
    expect(await outbox.on(account).deadLetters({ department: 'Sales' })).toHaveLength(1)
  })

  it('a message that succeeds while the delete of a later one is in doubt is deleted, too', async () => {
    const local = localTableService({ now: () => now })
    let now = 1_000_000_000_000
    let isLost = false
    const account = new Account(
      tableService({
        connectionString: local.connectionString(),
        now: () => now,
        retry: noRetry,
        transport: async (request, limits) => {
          if (!isLost || !request.path.endsWith('$batch')) return local.transport(request, limits)
          isLost = false
          now += 5_000
          throw new Error('lost')
        },
      }),
    )
    const Mail = defineEntity({
      name: 'mails',
      partitionKey: key`${'box'}`,
      rowKey: key`mail_${'id'}`,
      schema: z.object({ box: z.string(), id: z.string() }),
    })
    const jobs: Announced[] = []
    const outbox = declareOutbox(Mail, {
      messages: ({ after }) => (after === undefined ? [] : [after.id]),
      ...announcedTo(async (partition) => void jobs.push(partition)),
    }).on(account)
    const mails = account.table(Mail)
    await mails.create()
    for (const id of ['1', '2']) await mails.insert({ box: 'in', id })
    const handled: string[] = []
    await outbox.deliver(jobs[0] as Announced, async (id, _, { attempt }) => {
      handled.push(id)
      if (id === '1' && attempt === 1) throw new Error('busy')
      isLost = id === '2'
    })
    expect(handled).toEqual(['1', '2', '1'])
    expect(await outbox.pending({ box: 'in' })).toEqual([])
  })

  it('models in one table have outboxes of their own', async () => {
    const { account } = office()
    const parts = { name: 'store', partitionKey: key`${'department'}` }
    const schema = z.object({ department: z.string(), id: z.int() })
    const Person = defineEntity({ ...parts, rowKey: key`person_${'id:6'}`, schema })
    const Invoice = defineEntity({ ...parts, rowKey: key`invoice_${'id:6'}`, schema })
    const made = ([name, model]: [string, typeof Person | typeof Invoice]) =>
      declareOutbox(model, {
        messages: ({ after }) => [`${name} ${after?.id}`],
        ...announcedTo(),
      })
    const persons = made(['person', Person])
    const invoices = made(['invoice', Invoice])
    await account.table(Person).create()
    await account.table(Person).insert({ department: 'Sales', id: 1 })
    await account.table(Invoice).insert({ department: 'Sales', id: 2 })
    const heard: unknown[] = []
    const partition = { table: 'store', partitionKey: 'Sales' }
    const handle = async (message: string) => void heard.push(message)
    expect(await persons.on(account).deliver(partition, handle)).toBe(1)
    expect(heard).toEqual(['person 1'])
    expect(await invoices.on(account).pending({ department: 'Sales' })).toEqual(['invoice 2'])
  })

  it('rejects a second outbox of one name, and keeps one of another name', () => {
    const Employee = defineEmployee()
    const declare = (name?: string) =>
      declareOutbox(Employee, { messages: () => [], ...announcedTo(), name })
    declare()
    declare('audit')
    expect(() => declare()).toThrow(ModelError)
    expect(() => declare('audit')).toThrow('two outboxes of one name')
  })
})

describe('two outboxes in one table', () => {
  const thing = { name: 'things', partitionKey: key`${'owner'}`, rowKey: key`${'id'}` }
  const schema = z.object({ owner: z.string(), id: z.string() })
  const define = (type: string) => defineEntity({ ...thing, schema, discriminator: { type } })

  /** Stores one entity of each of two types, and delivers what their outboxes announce. */
  async function deliverBoth(): Promise<readonly string[]> {
    const { account } = office()
    await account.createTable('things')
    const heard: string[] = []
    const jobs: (() => Promise<unknown>)[] = []
    for (const type of ['book', 'letter']) {
      const model = define(type)
      const outbox = declareOutbox(model, {
        messages: () => [type],
        ...announcedTo(async (partition) => {
          const handle = async (message: string) => void heard.push(`${type} hears ${message}`)
          jobs.push(() => outbox.on(account).deliver(partition, handle))
        }),
      })
      await account.table(model).insert({ owner: 'jones', id: type })
    }
    for (const job of jobs) await job()
    return heard
  }

  it('are distinguished by the types of their models, when the keys are alike', async () => {
    expect(await deliverBoth()).toEqual(['book hears book', 'letter hears letter'])
  })
})
