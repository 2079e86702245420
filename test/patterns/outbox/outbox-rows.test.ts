import { declareOutbox } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'
import { type Renamed, started } from './renamed-employees.ts'

describe('declareOutbox', () => {
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
})
