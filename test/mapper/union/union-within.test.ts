import { defineEntity, key, type Table, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const Customer = defineEntity({
  name: 'store',
  partitionKey: key`${'tenant'}`,
  rowKey: key`c_${'email'}`,
  schema: z.object({ tenant: z.string(), email: z.string(), total: z.number().optional() }),
})

const Order = defineEntity({
  name: 'store',
  partitionKey: key`${'tenant'}`,
  rowKey: key`o_${'no:4'}`,
  schema: z.object({ tenant: z.string(), no: z.number().int(), total: z.number() }),
})

/** Its PartitionKey has a second part. */
const Visit = defineEntity({
  name: 'store',
  partitionKey: key`${'tenant'};${'day'}`,
  rowKey: key`v_${'id'}`,
  schema: z.object({ tenant: z.string(), day: z.string(), id: z.string() }),
})

async function twoTenants() {
  const fresh = freshAccount()
  const store = fresh.account.table('store', union(Customer, Order))
  await store.create()
  for (const tenant of ['acme', 'acme2', 'bolt']) {
    await store.insert({ tenant, email: 'a@b.c', total: 1 })
    await store.insert({ tenant, no: 1, total: 1 })
  }
  fresh.sent.length = 0
  return { ...fresh, store, acme: store.within({ tenant: 'acme' }) }
}

const outside = expect.objectContaining({ name: 'InputError', code: 'OutsideWithin' })

describe('within of a union', () => {
  it('writes and reads each type without the fixed property', async () => {
    const { acme, store } = await twoTenants()
    const order = await acme.insert({ no: 2, total: 5 })
    expect(order).toMatchObject({ tenant: 'acme', no: 2 })
    await acme.batch().insert({ email: 'd@e.f' }).insertOrReplace({ no: 3, total: 7 }).submit()
    await acme.bulk().insert([{ no: 4, total: 8 }, { email: 'g@h.i' }])
    await acme.modify({ no: 2 }, (row) => {
      if ('no' in row) row.total += 1
    })
    expect(await acme.get({ no: 2 })).toMatchObject({ tenant: 'acme', total: 6 })
    expect(await store.get({ tenant: 'acme', no: 2 })).toMatchObject({ total: 6 })
    expect(await acme.exists({ email: 'd@e.f' })).toBe(true)
    expect(await acme.getMany([{ no: 3 }, { email: 'missing' }])).toMatchObject([
      { no: 3 },
      undefined,
    ])
    expect(await acme.query().toArray()).toHaveLength(7)
    await acme.delete({ no: 2 }, { etag: '*' })
    expect(await acme.find({ no: 2 })).toBeUndefined()
    expect(await store.query().where({ tenant: 'bolt' }).count()).toBe(2)
  })

  it('stays inside in queries of all types, and of one', async () => {
    const { acme, sent } = await twoTenants()
    expect(await acme.query().toArray()).toMatchObject([{ email: 'a@b.c' }, { no: 1 }])
    expect(await acme.ofType(Order).query().toArray()).toMatchObject([{ tenant: 'acme', no: 1 }])
    expect(await acme.ofType(Order).get({ no: 1 })).toMatchObject({ tenant: 'acme' })
    const filters = sent.map(({ query, path }) => decodeURIComponent(`${path}?${query}`))
    for (const filter of filters) expect(filter).toMatch(/PartitionKey( eq |=)'acme'/)
  })

  it('rejects the rows of other tenants before it sends', async () => {
    const { acme, store, sent } = await twoTenants()
    const foreign = await store.get({ tenant: 'bolt', no: 1 })
    foreign.total = 9
    sent.length = 0
    const calls = [
      () => acme.get(['acme2', 'o_0001']),
      () => acme.exists(foreign as never),
      () => acme.merge(foreign as never),
      () => acme.insert({ tenant: 'bolt', no: 9, total: 1 } as never),
      () => acme.delete(['bolt', 'o_0001'], { etag: '*' }),
      () => acme.modify(['bolt', 'o_0001'], () => {}),
      () => acme.reload(foreign as never),
      async () => acme.batch().insert({ tenant: 'bolt', no: 9, total: 1 } as never),
      () => acme.ofType(Order).get(['bolt', 'o_0001']),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(outside)
    expect(sent).toEqual([])
  })

  it('grants and deletes the rows of the tenant', async () => {
    const { acme, store } = await twoTenants()
    const expiry = new Date(Date.now() + 3_600_000)
    expect(acme.sas({ permissions: 'r', expiry }).token).toContain('spk=acme&epk=acme')
    expect(await acme.deleteAll()).toMatchObject({ done: 2 })
    expect(await store.query().allowTableScan().count()).toBe(4)
  })

  it('keeps rows of other types inside, too', async () => {
    const { account } = await twoTenants()
    const store = account.table('store', union(Order, { unknown: 'dynamic' }))
    const acme = store.within({ tenant: 'acme' })
    await acme.insert(new DynamicEntity('acme', 'x', { size: 1 }))
    expect(await acme.query().count()).toBe(3)
    await expect(acme.insert(new DynamicEntity('bolt', 'x', { size: 1 }))).rejects.toThrow(outside)
  })

  it('rejects types whose PartitionKeys begin otherwise, and a second restriction', async () => {
    const { account, acme } = await twoTenants()
    const mixed = account.table('store', union(Customer, Visit))
    expect(() => mixed.within({ tenant: 'acme' })).toThrow(
      'needs types whose PartitionKeys begin with the same texts for { tenant }. Use ofType',
    )
    expect(mixed.ofType(Visit).within({ tenant: 'acme' }).query().explain().filter).toBe(
      "PartitionKey ge 'acme;' and PartitionKey lt 'acme<' and RowKey ge 'v_' and RowKey lt 'v`'",
    )
    const again = acme as unknown as Table<{ tenant: string }>
    expect(() => again.within({ tenant: 'acme' })).toThrow('have no fixed properties yet')
  })
  it('has no fixed property in its types, and no methods of the whole table', async () => {
    const { acme, store } = await twoTenants()
    const wrong = [
      // @ts-expect-error the tenant is fixed
      () => acme.get({ tenant: 'bolt', no: 1 }),
      // @ts-expect-error the tenant is fixed
      () => acme.insert({ tenant: 'bolt', no: 1, total: 1 }),
      // @ts-expect-error the tenant is fixed
      () => acme.query().where({ tenant: 'bolt' }),
      // @ts-expect-error the tenant is fixed
      () => acme.ofType(Order).get({ tenant: 'bolt', no: 1 }),
      // @ts-expect-error it is about the whole table
      () => acme.drop(),
      // @ts-expect-error the tenant is fixed already
      () => acme.within({ tenant: 'acme' }),
      // @ts-expect-error not all types have it
      () => store.within({ no: 1 }),
    ]
    expect(wrong).toHaveLength(7)
  })
})
