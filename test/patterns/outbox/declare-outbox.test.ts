import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, ModelError } from '@rowkey/mapper'
import { declareIndexes, declareOutbox, tableQueue, worker } from '@rowkey/patterns'
import {
  AbortError,
  DeadlineError,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { type Announced, announcedTo } from '../announcing.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'

interface Renamed {
  readonly id: number
  readonly was: string | undefined
  readonly is: string | undefined
}

/** A program whose employees announce changes of their names through an outbox. */
function program(account: Account) {
  const work = worker({
    queue: (used) => tableQueue(used, 'jobs', { table: 'queues' }),
    deadLetters: (used) => tableQueue(used, 'dead', { table: 'queues' }),
  })
  const Employee = defineEmployee()
  const outbox = declareOutbox(Employee, {
    messages: ({ before, after }): readonly Renamed[] => {
      if (before?.lastName === after?.lastName) return []
      return [{ id: (after ?? before)?.id ?? 0, was: before?.lastName, is: after?.lastName }]
    },
    handle: async (message) => void heard.push(message),
    worker: work,
  })
  const heard: Renamed[] = []
  const jobs = work.on(account)
  return { Employee, employees: account.table(Employee), outbox, jobs, heard }
}

const crewWorker = () =>
  worker({
    queue: (used) => tableQueue(used, 'crewjobs', { table: 'queues' }),
    deadLetters: (used) => tableQueue(used, 'crewdead', { table: 'queues' }),
  })

async function started() {
  const opened = office()
  const made = program(opened.account)
  await made.employees.create()
  await opened.account.createTable('queues')
  opened.sent.length = 0
  return { opened, ...opened, ...made }
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
    const left = await account.table('employees').query().allowTableScan().toArray()
    expect(left.map(({ rowKey }) => rowKey)).toEqual(['~rk~ob~empid_~outbox~.'])
  })

  it('announces in the account of the write', async () => {
    const { transport, connectionString } = localTableService({
      accounts: ['one', 'two'].map((name) => ({ name, key: 'a2V5' })),
    })
    const open = (name: string) =>
      new Account(tableService({ connectionString: connectionString(name), transport }))
    const accounts = [open('one'), open('two')] as const
    const announced: (readonly [Account, Announced])[] = []
    const Employee = defineEmployee()
    const outbox = declareOutbox(Employee, {
      messages: ({ after }) => [after?.id ?? 0],
      ...announcedTo(
        async (partition, _, __, account) => void announced.push([account, partition]),
      ),
    })
    for (const account of accounts) {
      await account.table(Employee).create()
      await account.table(Employee).insert({ ...jones })
    }
    expect(announced.map(([account]) => account)).toEqual(accounts)
    const [one, two] = accounts
    const [ofOne, ofTwo] = announced.map(([, partition]) => partition) as [Announced, Announced]
    const heard: unknown[] = []
    const hear = async (message: unknown) => void heard.push(message)
    expect(await outbox.on(one).deliver(ofOne, hear)).toBe(1)
    expect(await outbox.on(two).deliver(ofTwo, hear)).toBe(1)
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

  it.each([
    ['AbortError', new AbortError({ reason: 'stopped', mayHaveApplied: true })],
    ['DeadlineError', new DeadlineError({ message: 'Late', mayHaveApplied: true, attempts: 1 })],
    ['TransportError', new TransportError({ message: 'Lost', mayHaveApplied: true })],
  ])('a write whose announcement is in doubt was not applied: %s', async (name, error) => {
    const { account } = office()
    const Employee = defineEmployee()
    const outbox = declareOutbox(Employee, {
      messages: ({ after }) => [after?.id ?? 0],
      ...announcedTo(() => Promise.reject(error)),
    })
    const employees = account.table(Employee)
    await employees.create()
    const told = { name, mayHaveApplied: false }
    await expect(employees.insert({ ...jones })).rejects.toMatchObject(told)
    await expect(
      employees
        .batch()
        .insert({ ...jones })
        .submit(),
    ).rejects.toMatchObject(told)
    await expect(outbox.on(account).send({ department: 'Sales' }, 1)).rejects.toMatchObject(told)
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(0)
  })

  it('a write does not pass on the doubt about its announcement as its own', async () => {
    const { account, over } = office()
    const losing = over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (!request.path.endsWith('queues')) return response
      throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
    })
    const { employees } = program(losing)
    await Promise.all([employees.create(), account.createTable('queues')])
    await expect(employees.insert({ ...jones })).rejects.toMatchObject({
      name: 'TransportError',
      mayHaveApplied: false,
      cause: { name: 'AmbiguousWriteError' },
    })
  })

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

  it('drain handles messages whose announcement was lost', async () => {
    const { employees, outbox, account, rival, heard } = await started()
    await employees.insert({ ...jones })
    await rival().table('queues').deletePartition('jobs')
    expect(await outbox.on(account).drain()).toBe(1)
    expect(heard).toEqual([{ id: 223, is: 'Jones' }])
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

  it('writes of one partition share a job until it has run', async () => {
    const { employees, jobs, heard, sent } = await started()
    for (let id = 0; id < 50; id++) await employees.insert({ ...jones, id, email: `${id}` })
    const jobsSent = sent.filter(({ method, path }) => method === 'POST' && path.includes('queues'))
    expect(jobsSent).toHaveLength(1)
    expect(sent.length).toBe(1 + 1 + 50)
    sent.length = 0
    await jobs.drain()
    expect(heard).toHaveLength(50)
    expect(sent.length).toBeLessThan(60)
  })

  it('announces the messages of a table that was dropped and created again after a lost response', async () => {
    const { transport, connectionString } = localTableService()
    let losing = false
    const network: Transport = async (request, limits) => {
      const response = await transport(request, limits)
      if (!losing || !isBatch(request)) return response
      losing = false
      throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
    }
    const account = new Account(
      tableService({
        connectionString: connectionString(),
        transport: network,
        sleep: async () => {},
      }),
    )
    const announced: Announced[] = []
    const Employee = defineEmployee()
    declareOutbox(Employee, {
      messages: ({ after }) => [after?.id ?? 0],
      ...announcedTo(async (partition) => void announced.push(partition)),
    })
    const employees = account.table(Employee)
    await employees.create()
    losing = true
    await employees.insert({ ...jones })
    await employees.drop()
    await employees.create()
    await employees.insert({ ...jones })
    expect(announced).toHaveLength(2)
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

  it('retryDead leaves a dead letter where it is when its job cannot be announced', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    const jobs: Announced[] = []
    let isFull = false
    const outbox = declareOutbox(Employee, {
      attempts: 1,
      messages: ({ after }) => [after?.id ?? 0],
      ...announcedTo(async (partition) => {
        if (isFull) throw new TypeError('the queue is full')
        jobs.push(partition)
      }),
    }).on(account)
    await account.table(Employee).create()
    await account.table(Employee).insert({ ...jones })
    const deliver = (handler: () => Promise<void>) =>
      outbox.deliver(jobs.shift() as Announced, handler)
    await deliver(async () => {
      throw new TypeError('poison')
    })
    isFull = true
    const sales = { department: 'Sales' }
    await expect(outbox.retryDead(sales)).rejects.toThrow('the queue is full')
    expect(await outbox.pending(sales)).toEqual([])
    isFull = false
    expect(await outbox.retryDead(sales)).toBe(1)
    expect(jobs).toHaveLength(1)
    await deliver(async () => undefined)
    expect(await outbox.pending(sales)).toEqual([])
    expect(await outbox.deadLetters(sales)).toEqual([])
  })

  it('a job that was lost is announced again by a later write', async () => {
    const { employees, jobs, heard, rival, opened } = await started()
    await employees.insert({ ...jones })
    await rival().table('queues').deletePartition('jobs')
    opened.now += 600_000
    await employees.insert({ ...jones, id: 2, email: 'other' })
    await jobs.drain()
    expect(heard.map(({ id }) => id)).toEqual([223, 2])
  })

  it('a job that a clock of tomorrow announced is announced again by a later write', async () => {
    const opened = office()
    const { employees, jobs, heard } = program(opened.account)
    await Promise.all([employees.create(), opened.account.createTable('queues')])
    opened.now += 86_400_000
    const employee = await employees.insert({ ...jones })
    opened.now -= 86_400_000
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect(await jobs.runOnce()).toMatchObject({ done: 1 })
    expect(heard.map(({ is }) => is)).toEqual(['Jones', 'Jonas'])
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

  it('forty writes of one process to a partition at once are all stored', async () => {
    const { employees, jobs, heard, sent } = await started()
    const ids = Array.from({ length: 40 }, (_, id) => id)
    sent.length = 0
    await Promise.all(ids.map((id) => employees.insert({ ...jones, id, email: `${id}` })))
    expect(sent.length).toBe(1 + 1 + 40)
    await jobs.drain()
    expect(heard.map(({ id }) => id)).toEqual(ids)
  })

  it('rejects a message that JSON cannot hold, and stores nothing', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareOutbox(Employee, {
      messages: ({ after }) => [{ id: BigInt(after?.id ?? 0) }],
      ...announcedTo(),
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
    declareOutbox(Employee, { messages: () => undefined as never, ...announcedTo(async () => {}) })
    const employees = account.table(Employee)
    await employees.create()
    await expect(employees.insert({ ...jones })).rejects.toThrow(
      /outbox of employees must be an array/,
    )
  })

  it('rejects a message that is undefined, and stores nothing', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareOutbox(Employee, { messages: () => [undefined], ...announcedTo(async () => {}) })
    const employees = account.table(Employee)
    await employees.create()
    await expect(employees.insert({ ...jones })).rejects.toThrow(/not undefined/)
    expect(await employees.find(jones)).toBeUndefined()
  })

  it('names the row that another program stored among the messages', async () => {
    const { account, outbox, employees } = await started()
    const row = { partitionKey: 'Sales', rowKey: '~rk~ob~empid_~outbox~1', Message: '{' }
    await account.table('employees').insert(row)
    await employees.insert({ ...jones })
    const partition = { table: 'employees', partitionKey: 'Sales' }
    const unreadable = { code: 'UnreadableKeptRow', details: { rowKey: '~rk~ob~empid_~outbox~1' } }
    await expect(outbox.on(account).pending({ department: 'Sales' })).rejects.toMatchObject(
      unreadable,
    )
    const heard: Renamed[] = []
    const handle = async (message: Renamed) => void heard.push(message)
    await expect(outbox.on(account).deliver(partition, handle)).rejects.toMatchObject(unreadable)
    expect(heard).toHaveLength(1)
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(1)
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
