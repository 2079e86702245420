import { ModelError, Operation, union } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { UnionBatch } from '../../../packages/mapper/src/union/union-batch.ts'
import { freshAccount } from '../fresh-account.ts'
import { Customer, customer, Group, Order, User } from './store.ts'

async function freshDirectory() {
  const fresh = freshAccount()
  const directory = fresh.account.table('directory', union(User, Group))
  await directory.create()
  const typeOf = async (id: string) =>
    (await fresh.account.table('directory').get([id, 'self'])).get('EntityType')?.value
  return { ...fresh, directory, typeOf }
}

describe('UnionBatch', () => {
  it('R-160: writes objects that fit several types as the type given', async () => {
    const { directory, typeOf } = await freshDirectory()
    const [user, group] = [{ id: 'u1' }, { id: 'g1' }]
    await directory.batch().insert(User, user).submit()
    await directory.batch().insertOrMerge(Group, group).submit()
    await directory.batch().insertOrReplace(Group, { id: 'g2' }).submit()
    expect(await Promise.all(['u1', 'g1', 'g2'].map(typeOf))).toEqual(['User', 'Group', 'Group'])
    await directory.batch().merge(User, { id: 'u1', label: 'one' }, { etag: '*' }).submit()
    await directory.batch().replace(Group, { id: 'g1', size: 5 }, { etag: '*' }).submit()
    expect(await directory.get(['u1', 'self'])).toMatchObject({ label: 'one' })
    expect(await directory.get(['g1', 'self'])).toMatchObject({ size: 5 })
    const [found] = await directory.batch().retrieve(Group, { id: 'g2' }).submit()
    expect(found?.entity).toMatchObject({ id: 'g2' })
    await directory.batch().delete(Group, { id: 'g2' }, { etag: '*' }).submit()
    expect(await directory.find(['g2', 'self'])).toBeUndefined()
  })

  it('keeps the type with the object, so that later writes need none', async () => {
    const { directory, sent } = await freshDirectory()
    const user = { id: 'u1', label: 'old' }
    await directory.batch().insert(User, user).submit()
    sent.length = 0
    user.label = 'new'
    await directory.merge(user)
    expect(sent.map(({ body }) => body)).toEqual([
      '{"PartitionKey":"u1","RowKey":"self","label":"new"}',
    ])
  })

  it('rejects objects of several types without one, and types that the union does not have', async () => {
    const { directory } = await freshDirectory()
    const batch = directory.batch()
    expect(batch).toBeInstanceOf(UnionBatch)
    expect(() => batch.insert({ id: 'u1' })).toThrow(InputError)
    expect(() => batch.insert(Order as never, { id: 'u1' } as never)).toThrow(ModelError)
    expect(() => batch.insert(User, undefined as never)).toThrow(InputError)
    expect(() => batch.merge(User, { id: 'u1' }, { eatg: '*' } as object)).toThrow('eatg')
    expect(batch.size).toBe(0)
  })

  it('accepts objects without a type', async () => {
    const { account } = freshAccount()
    const store = account.table('store', union(Customer, Order))
    await store.create()
    const [ann, order] = [customer('c1', 'a@b.c'), { customerId: 'c1', orderNo: 7 }]
    await store.batch().insert(Customer, ann).insert(order).submit()
    ann.total = 5
    await store.batch().merge(ann).delete(order).submit()
    expect(await store.query().where({ customerId: 'c1' }).toArray()).toMatchObject([{ total: 5 }])
  })
})

describe('operations with a type', () => {
  it('R-160: write and read entities of that type on the table of a union', async () => {
    const { directory, typeOf } = await freshDirectory()
    const user = { id: 'u1' }
    const { entity, etag } = await directory.execute(Operation.insert(User, user))
    expect(entity).toBe(user)
    expect(etag).toEqual(expect.any(String))
    await directory.execute([Operation.insertOrReplace(Group, { id: 'g1' })])
    expect(await typeOf('g1')).toBe('Group')
    const read = await directory.execute(Operation.retrieve(User, { id: 'u1' }))
    expect(read.entity).toMatchObject({ id: 'u1' })
    await directory.execute(Operation.delete(Group, { id: 'g1' }, { etag: '*' }))
    expect(await directory.find(['g1', 'self'])).toBeUndefined()
  })

  it('are rejected by a table of one type, and by a union without their type', async () => {
    const { account, directory } = await freshDirectory()
    const users = account.table(User)
    const typed = Operation.insert(User, { id: 'u1' })
    await expect(users.execute(typed as never)).rejects.toThrow('only the table of a union')
    const order = Operation.insert(Order, { customerId: 'c1', orderNo: 1 })
    await expect(directory.execute(order as never)).rejects.toThrow(ModelError)
  })
})
