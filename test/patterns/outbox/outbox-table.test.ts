import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { declareOutbox } from '@rowkey/patterns'
import { type Transport, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type Announced, announcedTo } from '../announcing.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'
import { started } from './renamed-employees.ts'

describe('declareOutbox', () => {
  it('drain handles messages whose announcement was lost', async () => {
    const { employees, outbox, account, rival, heard } = await started()
    await employees.insert({ ...jones })
    await rival().table('queues').deletePartition('jobs')
    expect(await outbox.on(account).drain()).toBe(1)
    expect(heard).toEqual([{ id: 223, is: 'Jones' }])
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
})
