import { defineEntity, key, lifetime, lifetimeOf } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'

const defineUser = () =>
  defineEntity({
    name: 'users',
    partitionKey: key`${'tenant'}`,
    rowKey: key`user_${'id'}`,
    schema: z.object({
      tenant: z.string(),
      id: z.string(),
      email: z.string().optional(),
      group: z.string().optional(),
      expiresOn: z.date().optional(),
      deletedOn: z.date().optional(),
    }),
    lifetime: lifetime({ expiresAt: 'expiresOn', deletedAt: 'deletedOn' }),
  })

/** An expired user, a softly deleted one and a live one, with a unique index that is built. */
async function users() {
  const User = defineUser()
  const indexes = declareIndexes(User, { email: { rowKey: key`email_${'email'}`, unique: true } })
  const { account } = office()
  const table = account.table(User)
  await table.create()
  await indexes.on(account).build()
  await table.insert({ tenant: 't', id: '1', email: 'expired', expiresOn: new Date(0) })
  await table.insert({ tenant: 't', id: '2', email: 'deleted' })
  await table.insert({ tenant: 't', id: '3', email: 'live' })
  await table.delete({ tenant: 't', id: '2' }, { etag: '*' })
  return { account, table }
}

describe('an index of a model with a lifetime', () => {
  it.each(['expired', 'deleted'])('does not show the row that is %s', async (email) => {
    const { table } = await users()
    const query = table.query().where({ tenant: 't', email })
    expect(query.explain().index).toBe('email')
    expect(await query.toArray()).toEqual([])
    expect(await query.select('id').toArray()).toEqual([])
    expect(await query.count()).toBe(0)
    const rows = await lifetimeOf(table).all.query().where({ tenant: 't', email }).toArray()
    expect(rows).toHaveLength(1)
  })

  it('reads only the selected properties of a live row', async () => {
    const { table } = await users()
    const query = table.query().where({ tenant: 't', email: 'live' }).select('id')
    expect(await query.toArray()).toEqual([{ tenant: 't', id: '3' }])
  })

  it('lets deleteAll of a query delete live rows and their entries for good', async () => {
    const { account, table } = await users()
    expect((await table.query().where({ tenant: 't' }).deleteAll()).done).toBe(1)
    expect((await lifetimeOf(table).sweep()).done).toBe(2)
    const left = await account.table('users').query().where({ partitionKey: 't' }).toArray()
    expect(left).toEqual([])
  })

  it('has no copies unless its entries tell which rows are over', async () => {
    const User = defineUser()
    const rowKey = key`group_${'group'}_${'id'}`
    const expiry = key`expiry_${'group'}_${'id'}`
    const declared = declareIndexes(User, {
      group: { rowKey },
      expiry: { rowKey: expiry, project: ['expiresOn', 'deletedOn'] },
    })
    const { account } = office()
    const users = account.table(User)
    await users.create()
    const indexes = declared.on(account)
    await indexes.build()
    const row = { tenant: 't', group: 'sales' }
    await users.insert({ ...row, id: '1', expiresOn: new Date(0) })
    await users.insert({ ...row, id: '2' })
    await expect(indexes.copies('group')).rejects.toMatchObject({
      code: 'InvalidPatternOption',
      message: expect.stringContaining('Add expiresOn and deletedOn to its project'),
    })
    const live = await (await indexes.copies('expiry')).where(row).toArray()
    expect(live.map(({ id }) => id)).toEqual(['2'])
  })
})
