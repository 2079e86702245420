import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { declareOutbox } from '@rowkey/patterns'
import {
  AbortError,
  AmbiguousWriteError,
  DeadlineError,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type Announced, announcedTo } from '../announcing.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'
import { program, started } from './renamed-employees.ts'

describe('declareOutbox', () => {
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

  it('forty writes of one process to a partition at once are all stored', async () => {
    const { employees, jobs, heard, sent } = await started()
    const ids = Array.from({ length: 40 }, (_, id) => id)
    sent.length = 0
    await Promise.all(ids.map((id) => employees.insert({ ...jones, id, email: `${id}` })))
    expect(sent.length).toBe(1 + 1 + 40)
    await jobs.drain()
    expect(heard.map(({ id }) => id)).toEqual(ids)
  })
})

describe('a write whose response is lost', () => {
  it.each(['insert', 'merge', 'delete'] as const)(
    'is not called unapplied because a worker has handled its message: %s',
    async (method) => {
      const opened = office()
      const Employee = defineEmployee()
      const handled: unknown[] = []
      const { worker } = announcedTo()
      const outbox = declareOutbox(Employee, {
        messages: ({ after }) => [after?.lastName ?? ''],
        handle: async (message) => void handled.push(message),
        worker,
      })
      const employees = opened.account.table(Employee)
      await employees.create()
      if (method !== 'insert') await employees.insert({ ...jones, lastName: 'Adams' })
      const losing = opened
        .over((service) => async (request, limits) => {
          const response = await service(request, limits)
          if (isBatch(request)) throw new Error('lost')
          return response
        })
        .table(Employee)
      const writes = {
        insert: () => losing.insert({ ...jones }),
        merge: () => losing.merge({ ...jones }, { etag: '*' }),
        delete: () => losing.delete({ department: 'Sales', id: 223 }, { etag: '*' }),
      }
      const error: unknown = await writes[method]().catch((reason: unknown) => reason)
      await outbox.on(opened.account).drain()
      expect(handled.at(-1)).toBe(method === 'delete' ? '' : 'Jones')
      expect(error).toBeInstanceOf(AmbiguousWriteError)
      expect(await (error as AmbiguousWriteError).resolve()).not.toBe('not applied')
    },
  )
})
