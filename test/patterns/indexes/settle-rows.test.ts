import { type Account, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import type { Transport } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee } from '../employees.ts'
import { building, workerIn } from './followed-staff.ts'

const COUNT = 5

/** A program that declares an index whose entries all lie in one partition of another table. */
function program(account: Account) {
  const Employee = defineEmployee()
  const mail = {
    partitionKey: key`all`,
    rowKey: key`${'email'}_${'department'}_${'id:6'}`,
    table: 'lookups',
  }
  const indexes = declareIndexes(Employee, { mail }, { worker: workerIn('queues') })
  return { account, employees: account.table(Employee), indexed: indexes.on(account) }
}

/** Rows in two partitions without the entries of an index that is readable. */
async function lacking() {
  const made = building()
  const { open, transport } = made
  const account = open(transport)
  for (const name of ['employees', 'lookups', 'queues']) await account.createTable(name)
  const main = program(account)
  await main.indexed.build()
  const rows = Array.from({ length: COUNT }, (_, id) => {
    const values = { firstName: 'Jon', mail: `${id}@x` }
    return new DynamicEntity(
      id % 2 ? 'Sales' : 'Staff',
      `empid_${String(id).padStart(6, '0')}`,
      values,
    )
  })
  await account.table('employees').bulk().insert(rows)
  const set = async (id: number, email: string | undefined) => {
    await main.employees.modify({ department: id % 2 ? 'Sales' : 'Staff', id }, (employee) => {
      employee.email = email
    })
  }
  return { ...made, main, set }
}

const isInsert = ({ path, body }: { path: string; body?: string | undefined }) =>
  path.endsWith('$batch') && body?.includes('/lookups HTTP') === true

/** Sends requests, and runs something before the transaction that inserts entries. */
const acting =
  (transport: Transport, act: () => Promise<unknown>): Transport =>
  async (request, limits) => {
    if (isInsert(request)) await act()
    return transport(request, limits)
  }

describe('the entries that several rows lack', () => {
  it('are inserted in one transaction', async () => {
    const { main, open, transport } = await lacking()
    const sent: string[] = []
    const other = program(
      open((request, limits) => {
        if (isInsert(request)) sent.push(...(request.body?.match(/\d@x/g) ?? []))
        return transport(request, limits)
      }),
    )
    expect(await other.indexed.repair()).toMatchObject({ found: COUNT, repaired: COUNT })
    expect(sent.sort()).toEqual(['0@x', '1@x', '2@x', '3@x', '4@x'])
    expect(await main.indexed.verify()).toMatchObject({ rows: COUNT, kept: COUNT, found: 0 })
  })

  it('R-147: stay right when a row gets another value, or leaves, after it was read', async () => {
    const { main, open, transport, set } = await lacking()
    const act = async () => {
      await set(1, 'new@x')
      await main.employees.delete({ department: 'Staff', id: 2 }, { etag: '*' })
      await main.indexed.drain()
    }
    const { indexed } = program(open(acting(transport, act)))
    expect(await indexed.repair()).toMatchObject({ rows: COUNT })
    expect(await main.indexed.verify()).toMatchObject({ rows: 4, kept: 4, found: 0 })
  })

  it('are inserted for the other rows when another program has inserted one', async () => {
    const { main, open, transport, set } = await lacking()
    const act = async () => {
      await set(1, undefined)
      await set(1, '1@x')
      await main.indexed.drain()
    }
    const { indexed } = program(open(acting(transport, act)))
    expect(await indexed.repair()).toMatchObject({ found: COUNT - 1, repaired: COUNT - 1 })
    expect(await main.indexed.verify()).toMatchObject({ kept: COUNT, found: 0 })
  })

  it('are left to a worker that follows a message about the row', async () => {
    const { main, set } = await lacking()
    await set(3, 'later@x')
    expect(await main.indexed.repair()).toMatchObject({ found: COUNT - 1 })
    expect(await main.indexed.verify()).toMatchObject({ kept: COUNT - 1, found: 0 })
    expect(await main.indexed.drain()).toBe(1)
    expect(await main.indexed.verify()).toMatchObject({ kept: COUNT, found: 0 })
  })

  it('R-147: are followed one by one when the transaction got no response and can no longer arrive', async () => {
    const { main, open, transport, clock, set } = await lacking()
    const begunAt = clock.now
    let deliver: (() => ReturnType<Transport>) | undefined
    let isOver = false
    const { indexed } = program(
      open(async (request, limits) => {
        if (isInsert(request) && deliver === undefined) {
          deliver = () => transport(request, limits)
          throw new Error('lost')
        }
        if (deliver !== undefined && !isOver && clock.now >= begunAt + 5_000) {
          isOver = true
          await set(1, 'new@x')
          await main.indexed.drain()
          expect(await deliver()).toMatchObject({ status: 202 })
        }
        return transport(request, limits)
      }),
    )
    await indexed.repair()
    expect(isOver).toBe(true)
    expect(await main.indexed.verify()).toMatchObject({ kept: COUNT, found: 0 })
  })
})
