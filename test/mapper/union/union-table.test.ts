import { defineEntity, key, ModelError, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { Customer, customer, Group, Order, Refund, User } from './store.ts'

async function freshStore() {
  const fresh = freshAccount()
  const store = fresh.account.table('store', union(Customer, Order))
  await store.create()
  fresh.sent.length = 0
  return { ...fresh, store }
}

describe('UnionTable', () => {
  it('R-160, R-165: reads each row as its class or model', async () => {
    const { store } = await freshStore()
    await store
      .batch()
      .insert(customer('c1', 'a@b.c'))
      .insert({ customerId: 'c1', orderNo: 7 })
      .submit()
    const rows = await store.query().where({ customerId: 'c1' }).toArray()
    expect(rows[0]).toBeInstanceOf(Customer)
    expect(rows[1]).toMatchObject({ customerId: 'c1', orderNo: 7, status: 'open' })
    expect(await store.get({ customerId: 'c1', orderNo: 7 })).toMatchObject({ status: 'open' })
    expect(await store.get(['c1', '0001_c1'])).toBeInstanceOf(Customer)
  })

  it('changes and deletes entities of every type', async () => {
    const { store, sent } = await freshStore()
    await store.insert(customer('c1', 'a@b.c'))
    await store.insert({ customerId: 'c1', orderNo: 7, total: 5 })
    const rows = await store.query().where({ customerId: 'c1' }).toArray()
    sent.length = 0
    for (const row of rows) {
      row.total = 6
      await store.merge(row)
    }
    expect(sent.map(({ body }) => String(body))).toEqual([
      '{"PartitionKey":"c1","RowKey":"0001_c1","total":6}',
      '{"PartitionKey":"c1","RowKey":"0002_00000007","total@odata.type":"Edm.Double","total":6.0}',
    ])
    for (const row of rows) await store.delete(row)
    expect(await store.query().where({ customerId: 'c1' }).toArray()).toEqual([])
  })

  it('shows the ETag of a write on the member of the type', async () => {
    const { store } = await freshStore()
    const order = await store.insert({ customerId: 'c1', orderNo: 7 })
    expect(order).toMatchObject({ etag: expect.stringContaining('W/') })
    const first = (order as Order).etag
    Object.assign(order, { total: 2 })
    await store.merge(order)
    expect((order as Order).etag).not.toBe(first)
  })

  it('reloads an object only from a row of the same type', async () => {
    const { account } = freshAccount()
    const directory = account.table('directory', union(User, Group))
    await directory.create()
    const user = { id: 'x', label: 'first' }
    await directory.batch().insert(User, user).submit()
    await directory.ofType(User).modify({ id: 'x' }, (stored) => {
      stored.label = 'second'
    })
    expect(await directory.reload(user)).toBe(true)
    expect(user.label).toBe('second')
    await directory.batch().insertOrReplace(Group, { id: 'x', label: 'third' }).submit()
    await expect(directory.reload(user)).rejects.toThrow(
      expect.objectContaining({
        name: 'DecodeError',
        code: 'UnknownType',
        details: { partitionKey: 'x', rowKey: 'self' },
      }),
    )
    expect(user.label).toBe('second')
  })

  it('rejects the key of another type in exists and deletes of one type', async () => {
    const { store, sent } = await freshStore()
    await store.insert({ customerId: 'c1', orderNo: 7 })
    const customers = store.ofType(Customer)
    const key = ['c1', '0002_00000007'] as const
    const mismatch = expect.objectContaining({ code: 'KeyMismatch' })
    await expect(customers.exists(key)).rejects.toThrow(mismatch)
    sent.length = 0
    const any = { etag: '*' }
    await expect(customers.delete(key, any)).rejects.toThrow(mismatch)
    await expect(customers.deleteIfExists(key, any)).rejects.toThrow(mismatch)
    expect(() => customers.batch().delete(key, any)).toThrow(mismatch)
    const { failures } = await customers.bulk().delete([key], any).summary()
    expect(failures).toMatchObject([{ status: 'failed', error: mismatch }])
    expect(sent).toEqual([])
    await store.delete(key, any)
  })

  it('R-97: reads and deletes no row of another type by a model with a fixed RowKey', async () => {
    const { account } = freshAccount()
    const partitionKey = key`${'team'}`
    const Team = defineEntity({
      name: 'staff',
      partitionKey,
      rowKey: key`team`,
      schema: z.object({ team: z.string() }),
    })
    const Member = defineEntity({
      name: 'staff',
      partitionKey,
      rowKey: key`team_${'id'}`,
      schema: z.object({ team: z.string(), id: z.string() }),
    })
    const staff = account.table('staff', union(Team, Member))
    await staff.create()
    await staff.insert({ team: 'a', id: '1' })
    const mismatch = expect.objectContaining({ code: 'KeyMismatch' })
    const teams = staff.ofType(Team)
    await expect(teams.find(['a', 'team_1'])).rejects.toMatchObject({ code: 'KeyMismatch' })
    await expect(account.table(Team).get(['a', 'team_1'])).rejects.toThrow('form team')
    await expect(teams.exists(['a', 'team_1'])).rejects.toThrow(mismatch)
    await expect(teams.delete(['a', 'team_1'], { etag: '*' })).rejects.toThrow(mismatch)
    expect(await staff.query().allowTableScan().count()).toBe(1)
  })

  it('deletes a malformed row of one type, and with deletePartition rows of all types', async () => {
    const { account, store } = await freshStore()
    const rows = account.table('store')
    await rows.insert(new DynamicEntity('c1', '0002_seven'))
    await rows.insert(new DynamicEntity('c1', '0003_1'))
    await store.ofType(Order).delete(['c1', '0002_seven'], { etag: '*' })
    expect(await store.ofType(Order).deletePartition('c1')).toMatchObject({ done: 1 })
  })

  it('R-160: limits queries to one type by the range of its keys', async () => {
    const { store } = await freshStore()
    await store.insert(customer('c1', 'a@b.c'))
    await store.insert({ customerId: 'c1', orderNo: 7 })
    const orders = store.ofType(Order)
    const query = orders.query().where({ customerId: 'c1' })
    expect(query.explain()).toMatchObject({
      plan: 'range',
      filter: "PartitionKey eq 'c1' and RowKey ge '0002_' and RowKey lt '0002`'",
    })
    expect(await query.toArray()).toMatchObject([{ orderNo: 7 }])
    expect(await orders.get({ customerId: 'c1', orderNo: 7 })).toMatchObject({ orderNo: 7 })
    expect(() => store.ofType(Refund as never)).toThrow(ModelError)
  })

  it('R-97: rejects a row of another type, or returns it unchanged', async () => {
    const { account, store } = await freshStore()
    await account.table('store').insert(new DynamicEntity('c1', '0009_x', { note: 'hi' }))
    await expect(store.get(['c1', '0009_x'])).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'UnknownType' }),
    )
    const all = account.table('store', union(Customer, Order, { unknown: 'dynamic' }))
    const row = await all.get(['c1', '0009_x'])
    expect(row instanceof DynamicEntity && row.get('note')?.value).toBe('hi')
    if (row instanceof DynamicEntity) await all.merge(row.set('note', 'ho'))
    expect((await all.get(['c1', '0009_x'])) instanceof DynamicEntity).toBe(true)
  })

  it('R-97: finds rows of undeclared types whatever their keys begin with, also beside one type', async () => {
    const { account } = await freshStore()
    await account.table('store').insert(new DynamicEntity('c1', '0009_x', { note: 'hi' }))
    const all = account.table('store', union(Customer, { unknown: 'dynamic' }))
    const rows = await all.query().where({ customerId: 'c1' }).toArray()
    expect(rows.filter((row) => row instanceof DynamicEntity)).toHaveLength(1)
  })

  it('rejects what a table of one of the types rejects', () => {
    const { account } = freshAccount()
    expect(() => account.table('no', union(Customer))).toThrow('no')
    expect(() => account.table('store', union(Customer), { scan: 'none' } as never)).toThrow('scan')
  })
})
