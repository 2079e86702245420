import { type Account, defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import {
  AmbiguousWriteError,
  linearRetry,
  noRetry,
  type RetryPolicy,
  type Transport,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'
import { building, program, staffed, workerIn } from './followed-staff.ts'

const all = async <Item>(items: AsyncIterable<Item>) => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Deletes the only entry in the table of lookups. */
async function deleteEntry(account: Account) {
  const entry = await account.table('lookups').query().allowTableScan().first()
  await account.table('lookups').delete(entry, { etag: '*' })
}

describe('an index with a partitionKey', () => {
  it('a worker of an earlier version leaves rows of a later one to a worker that can read them', async () => {
    const { clock, open, transport } = building()
    const account = open(transport)
    const parts = { name: 'staff', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, schema, version: 1 })
    const migrate = (earlier: z.output<typeof schema>) => earlier
    const Second = defineEntity({ ...parts, schema, version: 2, previous: First, migrate })
    const mail = { partitionKey: key`${'mail'}`, rowKey: key`${'team'}_${'id'}`, sameSince: 1 }
    const [earlier, later] = [workerIn('queues'), workerIn('queues')]
    declareIndexes(First, { mail }, { worker: earlier })
    const second = declareIndexes(Second, { mail }, { worker: later }).on(account)
    await account.table(First).create()
    await account.createTable('queues')
    await second.state('mail')
    await account.table(Second).insert({ team: 'a', id: '1', mail: 'x' })
    for (let attempt = 1; attempt <= 10; attempt++) {
      await earlier.on(account).runOnce()
      clock.now += 600_000
    }
    expect(await all(second.query('mail', { mail: 'x' }))).toEqual([])
    await later.on(account).runOnce()
    expect(await all(second.query('mail', { mail: 'x' }))).toHaveLength(1)
  })
})

describe('an entry whose write is rejected', () => {
  it('makes a repair fail with the error of the service, after one attempt', async () => {
    const { main, open, transport } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    await deleteEntry(main.account)
    let rejected = 0
    const forbidding: Transport = async (request, limits) => {
      const isEntry = request.body?.includes('/lookups HTTP')
      if (!isEntry) return transport(request, limits)
      rejected++
      return { status: 403, headers: {}, body: '{"odata.error":{"code":"AuthorizationFailure"}}' }
    }
    const { indexed } = program(open(forbidding))
    await expect(indexed.repair()).rejects.toMatchObject({ code: 'AuthorizationFailure' })
    expect(rejected).toBe(1)
  })
})

describe('an entry that changes before a worker writes it', () => {
  it('is read again, also when the change left its row as it was', async () => {
    const { main, open, transport } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    await main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
      employee.email = 'b@contoso.com'
    })
    let changes = 0
    const { indexed } = program(
      open(async (request, limits) => {
        if (request.method === 'DELETE' && request.path.includes('lookups') && ++changes < 3) {
          const { partitionKey, rowKey } = (await main.account
            .table('lookups')
            .query()
            .allowTableScan()
            .first()) ?? { partitionKey: '', rowKey: '' }
          const touched = new DynamicEntity(partitionKey, rowKey, { Changed: changes })
          await main.account.table('lookups').merge(touched, { etag: '*' })
        }
        return transport(request, limits)
      }),
    )
    expect(await indexed.refresh(jones)).toBe(1)
    expect(changes).toBe(3)
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
  })
})

describe('a late worker', () => {
  it('undoes nothing that a faster one did', async () => {
    const { main, open, transport } = await staffed()
    const set = (email: string) =>
      main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
        employee.email = email
      })
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    for (let pause = 1; pause < 12; pause += CASE_STEP) {
      await set(`a${pause}@contoso.com`)
      let count = 0
      const late = program(
        open(async (request, limits) => {
          if (++count === pause) {
            await set(`b${pause}@contoso.com`)
            await main.indexed.refresh(jones)
          }
          return transport(request, limits)
        }),
      )
      await late.indexed.refresh(jones)
      await main.indexed.refresh(jones)
      expect(await main.indexed.verify(), `paused at ${pause}`).toMatchObject({ found: 0 })
    }
  })
})

describe('a request that the network delivers late', () => {
  /** Lets a worker end at a write of an entry that the network delivers when everything has changed back. */
  async function delivered(method: string, place: string, changes: readonly object[]) {
    const { main, open, transport } = await staffed()
    const set = async (values: object) => {
      await main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
        Object.assign(employee, values)
      })
    }
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    const [first, ...others] = changes
    await set(first ?? {})
    let deliver: (() => Promise<unknown>) | undefined
    const late = program(
      open(async (request, limits) => {
        if (deliver !== undefined) throw new Error('ended')
        const isWrite = request.method === method && request.path.includes(place)
        if (!isWrite) return transport(request, limits)
        deliver = () => transport(request, limits)
        throw new Error('lost')
      }),
    )
    await late.indexed.refresh(jones).catch(() => undefined)
    for (const change of others) {
      await main.indexed.refresh(jones)
      await set(change)
    }
    await main.indexed.refresh(jones)
    await deliver?.()
    expect(deliver).toBeDefined()
    return main
  }

  it('R-147: removes no entry that another worker stored since', async () => {
    const main = await delivered('DELETE', 'lookups', [
      { email: 'b@contoso.com' },
      { email: jones.email },
    ])
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
    expect(await all(main.indexed.query('email', { email: jones.email }))).toHaveLength(1)
  })

  it('R-147: stores no old copy over that of another worker', async () => {
    const main = await delivered('PUT', 'lastName.', [{ firstName: 'Old' }, { firstName: 'New' }])
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
    const copies = await main.indexed.copies('lastName')
    expect(await copies.where({ lastName: 'Jones' }).toArray()).toMatchObject([
      { firstName: 'New' },
    ])
  })

  it('can insert an entry that its row has left: queries skip it, and repair removes it', async () => {
    const main = await delivered('POST', 'lookups', [
      { email: 'b@contoso.com' },
      { email: 'c@contoso.com' },
    ])
    expect(await all(main.indexed.query('email', { email: 'b@contoso.com' }))).toEqual([])
    expect(await main.indexed.verify()).toMatchObject({ kept: 3, found: 1 })
    expect(await main.indexed.repair()).toMatchObject({ found: 1, repaired: 1 })
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
  })
})

describe('an insert of an entry without a response, which arrives when its row has left it', () => {
  const second = { email: 'b@contoso.com' }
  const third = { email: 'c@contoso.com' }
  const policies = [
    ['and is repeated', linearRetry({ delay: 100 })],
    ['and is not repeated', noRetry],
  ] as const

  /** A program whose first inserts of an entry get no response. */
  async function losing(retry: RetryPolicy, most = 1) {
    const { main, clock, open, transport } = await staffed()
    const network = { lost: 0, deliver: async () => ({ status: 0 }), before: async () => {} }
    const lossy: Transport = async (request, limits) => {
      await network.before()
      const isInsert = request.method === 'POST' && request.path.endsWith('/lookups')
      if (!isInsert || network.lost === most) return transport(request, limits)
      network.lost++
      network.deliver = () => transport(request, limits)
      throw new Error('lost')
    }
    const { indexed } = program(open(lossy, retry))
    const set = (values: object) =>
      main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
        Object.assign(employee, values)
      })
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    return { main, clock, indexed, set, network }
  }

  const calls = (['refresh', 'repair'] as const).flatMap((call) =>
    policies.map(([name, retry]) => [call, name, retry] as const),
  )

  it.each(calls)('R-147: is waited for by %s, %s', async (call, _, retry) => {
    const { main, clock, indexed, set, network } = await losing(retry)
    // A message would leave it to the workers.
    const row = new DynamicEntity('Sales', 'empid_000223', { mail: second.email })
    if (call === 'repair') await main.account.table('employees').merge(row, { etag: '*' })
    else await set(second)
    const begunAt = clock.now
    let isOver = false
    network.before = async () => {
      if (isOver || clock.now < begunAt + 5_000) return
      isOver = true
      await set(third)
      await main.indexed.refresh(jones)
      expect(await network.deliver()).toMatchObject({ status: 204 })
      expect(await main.indexed.verify()).toMatchObject({ kept: 3, found: 1 })
    }
    if (call === 'repair') await indexed.repair()
    else await indexed.refresh(jones)
    clock.now += 5_000
    await network.before()
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
    expect(await main.indexed.refresh(jones)).toBe(0)
  })

  it('R-147: ends a repair when 10 of them have got no response', async () => {
    const { main, indexed, network } = await losing(noRetry, 20)
    const row = new DynamicEntity('Sales', 'empid_000223', { mail: second.email })
    await main.account.table('employees').merge(row, { etag: '*' })
    await expect(indexed.repair()).rejects.toThrow(AmbiguousWriteError)
    expect(network.lost).toBe(10)
  })
})

describe('a message that waits while an index is built', () => {
  const declare = (definitions: object) => {
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, definitions as never, { worker: announcedTo().worker })
    return { Employee, indexes }
  }
  const mail = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
  const name = { partitionKey: key`${'lastName'}`, rowKey: key`${'department'}_${'id:6'}` }

  it('does not know an index that was declared since, so the build makes its entry', async () => {
    const { account, rival } = office()
    const before = declare({ mail })
    await account.table(before.Employee).create()
    await account.table(before.Employee).insert({ ...jones })
    const { indexes } = declare({ mail, name })
    const indexed = indexes.on(rival())
    await indexed.build()
    await indexed.drain()
    for (const index of ['mail', 'name']) {
      const found = await indexed
        .query(index as never)
        .allowTableScan()
        .toArray()
      expect(found).toHaveLength(1)
    }
    expect(await indexed.verify()).toMatchObject({ found: 0, kept: 2 })
  })

  it('does not name an entry that another program left behind, which is a difference', async () => {
    const { account } = office()
    const { Employee, indexes } = declare({ name })
    const employees = account.table(Employee)
    await employees.create()
    const employee = await employees.insert({ ...jones })
    const indexed = indexes.on(account)
    await indexed.drain()
    employee.lastName = 'Smith'
    await employees.merge(employee)
    const rows = await account.table('employees').query().allowTableScan().toArray()
    const entry = rows.find(({ rowKey }) => rowKey.startsWith('~rk~ix~'))
    const like = new DynamicEntity('Adams', entry?.rowKey ?? '', entry?.properties)
    await account.table('employees').insert(like)
    const { findings } = await indexed.repair()
    expect(findings).toMatchObject([{ kind: 'dangling', kept: { partitionKey: 'Adams' } }])
    await indexed.drain()
    expect(await indexed.verify()).toMatchObject({ found: 0, kept: 1 })
  })
})
