import { Entity, PartitionKey, RowKey } from '@rowkey/mapper'
import { type Account, connect, defineEntity, gt, key, Operation, startsWith } from 'rowkey'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { freshTable } from '../fresh-account.ts'

const User = defineEntity({
  name: 'users',
  partitionKey: key`u_${'mail'}`,
  rowKey: key`${'no:4'}`,
  schema: z.object({
    mail: z.string().trim().toLowerCase(),
    no: z.coerce.number<number>(),
    name: z.string().optional(),
  }),
})
const other = { mail: ' Ann@X.com ', no: '1' as never }
const own = { partitionKey: 'u_ann@x.com', rowKey: '0001' }

async function freshUsers() {
  const account = connect('memory:')
  onTestFinished(() => account.close())
  const users = account.table(User)
  await users.create()
  return { account, users, rows: account.table('users') }
}

/** Each call that takes a key, on the row of the user. */
const CALLS: Readonly<Record<string, (account: Account) => Promise<unknown>>> = {
  get: (account) => account.table(User).get(other),
  find: async (account) => {
    expect(await account.table(User).find(other)).toBeDefined()
  },
  exists: async (account) => {
    expect(await account.table(User).exists(other)).toBe(true)
  },
  getMany: async (account) => {
    expect(await account.table(User).getMany([other])).toEqual([
      { mail: 'ann@x.com', no: 1, name: 'Ann' },
    ])
  },
  where: async (account) => {
    const found = account.table(User).query().where({ mail: other.mail })
    expect(await found.toArray()).toHaveLength(1)
  },
  merge: (account) => account.table(User).merge({ ...other, name: 'B' }, { etag: '*' }),
  replace: (account) => account.table(User).replace({ ...other, name: 'B' }, { etag: '*' }),
  insertOrMerge: (account) => account.table(User).insertOrMerge({ ...other, name: 'B' }),
  insertOrReplace: (account) => account.table(User).insertOrReplace({ ...other, name: 'B' }),
  modify: (account) =>
    account.table(User).modify(other, (user) => {
      user.name = 'B'
    }),
  delete: (account) => account.table(User).delete(other, { etag: '*' }),
  deleteIfExists: async (account) => {
    expect(await account.table(User).deleteIfExists(other, { etag: '*' })).toBe(true)
  },
  reload: (account) => account.table(User).reload({ ...other }),
  'merge of a batch': (account) =>
    account
      .table(User)
      .batch()
      .merge({ ...other, name: 'B' }, { etag: '*' })
      .submit(),
  'delete of a batch': (account) =>
    account.table(User).batch().delete(other, { etag: '*' }).submit(),
  'retrieve of a batch': async (account) => {
    const [found] = await account.table(User).batch().retrieve(other).submit()
    expect(found?.entity).toBeDefined()
  },
  'retrieve as a value': async (account) => {
    const { entity } = await account.table(User).execute(Operation.retrieve(other) as never)
    expect(entity).toBeDefined()
  },
  'merge of a bulk write': async (account) =>
    await account
      .table(User)
      .bulk()
      .merge([{ ...other, name: 'B' }], { etag: '*' }),
}

describe('a key whose parts the schema changes', () => {
  it.each(Object.entries(CALLS))('R-69: is the same in %s as in an insert', async (_, call) => {
    const { account, users, rows } = await freshUsers()
    await users.insert({ mail: 'ANN@X.com', no: 1, name: 'Ann' })
    await call(account)
    for await (const row of rows.query().allowTableScan()) expect(row).toMatchObject(own)
  })

  it('is stored and shown as the schema makes it', async () => {
    const { users } = await freshUsers()
    expect(await users.insert({ ...other })).toEqual({ mail: 'ann@x.com', no: 1 })
  })

  it('rejects bounds and prefixes in another form, and takes others as they are', async () => {
    const { users } = await freshUsers()
    const query = users.query()
    expect(query.where({ mail: startsWith('ann') }).explain().filter).toBe(
      "PartitionKey ge 'u_ann' and PartitionKey lt 'u_ano'",
    )
    for (const test of [startsWith('Ann'), gt(' ann')]) {
      expect(() => query.where({ mail: test })).toThrow(
        expect.objectContaining({
          code: 'InvalidQuery',
          message: expect.stringMatching(/form that the schema makes/),
        }),
      )
    }
  })

  it('is literal where it is given as texts, so that every row can be reached', async () => {
    const { users, rows } = await freshUsers()
    await rows.insert({ partitionKey: 'u_Ann@X.com', rowKey: '0001', name: 'Old' })
    const old = await users.get(['u_Ann@X.com', '0001'])
    expect(old.mail).toBe('Ann@X.com')
    old.name = 'New'
    await users.merge(old)
    await users.replace(old)
    await users.reload(old)
    expect((await rows.get(['u_Ann@X.com', '0001'])).get('name')?.value).toBe('New')
    await users.delete(old)
    expect(await rows.query().allowTableScan().toArray()).toEqual([])
  })

  it('finds a Guid in any case', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const Item = defineEntity({
      name: 'items',
      partitionKey: key`items`,
      rowKey: key`${'id'}`,
      schema: z.object({ id: z.uuid() }),
    })
    const items = account.table(Item)
    await items.create()
    const id = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'
    await items.insert({ id })
    expect(await items.get({ id: id.toLowerCase() })).toEqual({ id: id.toLowerCase() })
    expect(await items.query().where({ id }).toArray()).toHaveLength(1)
  })

  it('reaches a row that the schema now rejects, so that it can be deleted', async () => {
    const { account } = await freshUsers()
    const Strict = defineEntity({
      name: 'users',
      partitionKey: key`${'mail'}`,
      rowKey: key`1`,
      schema: z.object({ mail: z.email().toLowerCase() }),
    })
    await account.table('users').insert({ partitionKey: 'Ann', rowKey: '1' })
    await account.table(Strict).delete({ mail: 'Ann' }, { etag: '*' })
    expect(await account.table('users').query().allowTableScan().toArray()).toEqual([])
  })
})

describe('a class whose key is computed from what the schema changes', () => {
  @Entity({
    name: 'members',
    schema: z.object({ mail: z.string().toLowerCase() }),
  })
  class Member {
    #letters = 1
    @RowKey() mail = ''
    @PartitionKey() get first(): string {
      return this.mail.slice(0, this.#letters)
    }
  }

  it('has one key in every call, and stays as it is when a write fails', async () => {
    const { table } = await freshTable(Member)
    const ann = Object.assign(new Member(), { mail: 'Ann' })
    await table.insert(ann)
    expect(ann.mail).toBe('ann')
    const again = Object.assign(new Member(), { mail: 'ANN' })
    await expect(table.insert(again)).rejects.toThrow()
    expect(again.mail).toBe('ANN')
    expect(await table.get(again as never)).toMatchObject({ mail: 'ann' })
    await table.delete(again, { etag: '*' })
    expect(await table.find(['a', 'ann'])).toBeUndefined()
  })
})
