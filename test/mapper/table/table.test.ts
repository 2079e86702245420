import {
  DynamicEntity,
  defineEntity,
  EntityNotFoundError,
  ETagMismatchError,
  key,
  ModifyConflictError,
} from 'rowkey'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

const jeffsKey = ['Smith', 'Jeff'] as const

async function withJeff() {
  const fresh = await freshTable(Customer)
  await fresh.table.insert(customer('Smith', 'Jeff', { age: 39, points: 5n, rating: 3 }))
  fresh.sent.length = 0
  return fresh
}

describe('modify', () => {
  it('R-136: reads, changes and merges an entity', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.modify(jeffsKey, (read) => {
      read.points = (read.points ?? 0n) + 1n
    })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
    expect(JSON.parse(sent[1]?.body ?? '')).toEqual({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      'points@odata.type': 'Edm.Int64',
      points: '6',
    })
    expect(jeff).toEqual(await table.get(jeffsKey))
  })

  it('R-136: accepts an asynchronous function', async () => {
    const { table } = await withJeff()
    await table.modify({ lastName: 'Smith', firstName: 'Jeff' }, async (jeff) => {
      jeff.age = await Promise.resolve(40)
    })
    expect((await table.get(jeffsKey)).age).toBe(40)
  })

  it('R-136: applies the change again to what another client wrote in between', async () => {
    const { table } = await withJeff()
    const seen: (bigint | undefined)[] = []
    const jeff = await table.modify(jeffsKey, async (read) => {
      seen.push(read.points)
      if (seen.length < 3) {
        await table.modify(jeffsKey, (theirs) => {
          theirs.points = (theirs.points ?? 0n) * 10n
        })
      }
      read.points = (read.points ?? 0n) + 1n
    })
    expect(seen).toEqual([5n, 50n, 500n])
    expect(jeff.points).toBe(501n)
    expect((await table.get(jeffsKey)).points).toBe(501n)
  })

  it('R-136: loses nothing when many change one entity at once', async () => {
    const { table } = await withJeff()
    const once = () =>
      table.modify(
        jeffsKey,
        (jeff) => {
          jeff.points = (jeff.points ?? 0n) + 1n
        },
        { attempts: 50 },
      )
    await Promise.all(Array.from({ length: 8 }, once))
    expect((await table.get(jeffsKey)).points).toBe(13n)
  })

  it('gives each attempt an object of its own', async () => {
    const { table } = await withJeff()
    const given = new Set<Customer>()
    await table.modify(jeffsKey, async (jeff) => {
      given.add(jeff)
      expect(jeff.age).toBe(39)
      jeff.age = 40
      if (given.size === 1) await table.insertOrMerge(customer('Smith', 'Jeff', { rating: 1 }))
    })
    expect(given.size).toBe(2)
    expect(await table.get(jeffsKey)).toMatchObject({ age: 40, rating: 1, points: 5n })
  })

  it('sends nothing when nothing changed', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.modify(jeffsKey, (read) => {
      read.age = 39
    })
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
    expect(jeff.age).toBe(39)
  })

  it('replaces the entity when a value was removed, and keeps properties that the class does not declare', async () => {
    const { table, account, sent } = await withJeff()
    const raw = account.table('customers')
    await raw.merge(new DynamicEntity('Smith', 'Jeff', { shoe: 43 }), { etag: '*' })
    sent.length = 0
    await table.modify(jeffsKey, (jeff) => {
      delete jeff.age
    })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT'])
    expect([...(await raw.get(jeffsKey)).properties.keys()].sort()).toEqual([
      'points',
      'rating',
      'shoe',
    ])
    await raw.modify(jeffsKey, (jeff) => void jeff.delete('shoe'))
    expect([...(await raw.get(jeffsKey)).properties.keys()].sort()).toEqual(['points', 'rating'])
  })

  it('writes nothing when the function throws', async () => {
    const { table, sent } = await withJeff()
    const broken = table.modify(jeffsKey, (jeff) => {
      jeff.age = 40
      throw new RangeError('no')
    })
    await expect(broken).rejects.toThrow(RangeError)
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  it('is rejected for an entity that is missing, or deleted meanwhile', async () => {
    const { table } = await withJeff()
    const called: Customer[] = []
    const missing = table.modify(['Smith', 'Ann'], (ann) => void called.push(ann))
    await expect(missing).rejects.toThrow(EntityNotFoundError)
    expect(called).toEqual([])
    const deleted = table.modify(jeffsKey, async (jeff) => {
      jeff.age = 40
      await table.delete(jeffsKey, { etag: '*' })
    })
    await expect(deleted).rejects.toThrow(EntityNotFoundError)
    expect(await table.find(jeffsKey)).toBeUndefined()
  })

  it('R-100: rejects a change of the key', async () => {
    const { table, sent } = await withJeff()
    const renamed = table.modify(jeffsKey, (jeff) => {
      jeff.firstName = 'Ann'
    })
    await expect(renamed).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
    )
    expect(sent).toHaveLength(1)
  })

  it('uses the ETag that was read, even if the function changes the member', async () => {
    const { table } = await withJeff()
    let calls = 0
    await table.modify(jeffsKey, async (jeff) => {
      if (++calls === 1) await table.insertOrMerge(customer('Smith', 'Jeff', { rating: 1 }))
      jeff.etag = '*'
      jeff.age = 40
    })
    expect(calls).toBe(2)
  })

  it('gives up after the allowed number of attempts', async () => {
    const { table } = await withJeff()
    let calls = 0
    const work = table.modify(
      jeffsKey,
      async (jeff) => {
        calls++
        await table.insertOrMerge(customer('Smith', 'Jeff', { rating: calls }))
        jeff.age = 40
      },
      { attempts: 2 },
    )
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ModifyConflictError)
    expect(error).toMatchObject({
      attempts: 2,
      key: { partitionKey: 'Smith', rowKey: 'Jeff' },
      cause: expect.any(ETagMismatchError),
    })
    expect(calls).toBe(2)
    expect((await table.get(jeffsKey)).age).toBe(39)
  })

  it('checks the change with the schema', async () => {
    const Order = defineEntity({
      name: 'orders',
      partitionKey: key`${'customerId'}`,
      rowKey: key`${'orderNo:8'}`,
      schema: z.object({ customerId: z.string(), orderNo: z.int(), total: z.number().min(0) }),
    })
    const orders = freshAccount().account.table(Order)
    await orders.create()
    await orders.insert({ customerId: 'c1', orderNo: 7, total: 9.5 })
    const target = { customerId: 'c1', orderNo: 7 }
    const modified = await orders.modify(target, (order) => {
      order.total += 1
    })
    expect(modified).toMatchObject({ total: 10.5 })
    const negative = orders.modify(target, (order) => {
      order.total = -1
    })
    await expect(negative).rejects.toThrow(/total/)
  })

  it.each([
    ['no function', 5, /needs a function/],
    ['a function that gives another object', (jeff: object) => ({ ...jeff }), /would be ignored/],
  ])('rejects %s', async (_what, modifier, message) => {
    const { table, sent } = await withJeff()
    const work = table.modify(jeffsKey, modifier as never)
    await expect(work).rejects.toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
    await expect(work).rejects.toThrow(message)
    expect(sent.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('reload', () => {
  it('R-139: returns whether another program wrote the entity', async () => {
    const { table } = await withJeff()
    const jeff = await table.get(jeffsKey)
    expect(await table.reload(jeff)).toBe(false)
    await table.insertOrMerge(customer('Smith', 'Jeff', { age: 40 }))
    expect(await table.reload(jeff)).toBe(true)
    expect(jeff).toEqual(await table.get(jeffsKey))
    expect(await table.reload(jeff)).toBe(false)
    expect(await table.reload(customer('Smith', 'Jeff'))).toBe(true)
  })

  it('overwrites unsaved changes with the stored values', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.get(jeffsKey)
    Object.assign(jeff, { age: 40, active: true, selected: true })
    expect(await table.reload(jeff)).toBe(false)
    expect(jeff).toMatchObject({ age: 39, active: undefined, selected: true })
    sent.length = 0
    await table.merge(jeff)
    expect(sent).toEqual([])
  })

  it('clears a value that is not stored any more', async () => {
    const { table } = await withJeff()
    const jeff = await table.get(jeffsKey)
    await table.replace(customer('Smith', 'Jeff', { points: 6n }), { etag: '*' })
    await table.reload(jeff)
    expect(jeff).toEqual(await table.get(jeffsKey))
    jeff.points = 7n
    await table.replace(jeff)
    expect(await table.get(jeffsKey)).toMatchObject({ points: 7n, age: undefined })
  })

  it('makes a whole entity of a part', async () => {
    const { table } = await withJeff()
    const part = (await table.get(jeffsKey, { select: ['age'] })) as Customer
    expect(part.points).toBeUndefined()
    await table.reload(part)
    await table.replace(part)
    expect((await table.get(jeffsKey)).points).toBe(5n)
  })

  it('rejects an entity that is gone, has another key, or cannot be changed', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.get(jeffsKey)
    sent.length = 0
    await expect(table.reload(Object.freeze(await table.get(jeffsKey)))).rejects.toThrow(/frozen/)
    jeff.firstName = 'Ann'
    await expect(table.reload(jeff)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
    )
    expect(sent).toHaveLength(1)
    jeff.firstName = 'Jeff'
    await table.delete(jeff)
    await expect(table.reload(jeff)).rejects.toThrow(EntityNotFoundError)
  })

  it('refreshes plain objects of a schema, and entities without a declared class', async () => {
    const Note = defineEntity({
      name: 'notes',
      partitionKey: key`${'owner'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ owner: z.string(), id: z.string(), text: z.string().optional() }),
    })
    const { account } = freshAccount()
    const [notes, rows] = [account.table(Note), account.table('notes')]
    await notes.create()
    const note = await notes.insert({ owner: 'o', id: '1', text: 'x' })
    const row = await rows.get(['o', '1'])
    row.set('color', 'red')
    await rows.insertOrReplace(new DynamicEntity('o', '1', { size: 3 }))
    expect(await notes.reload(note)).toBe(true)
    expect(note).toEqual({ owner: 'o', id: '1' })
    expect(await rows.reload(row)).toBe(true)
    expect(row).toEqual(await rows.get(['o', '1']))
    expect(await rows.reload(row)).toBe(false)
  })
})
