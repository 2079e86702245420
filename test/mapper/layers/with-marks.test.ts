import { union } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'
import { Login, Purchase } from '../model/events.ts'

async function events() {
  const fresh = freshAccount()
  const all = fresh.account.table('events', union(Login, Purchase))
  await all.create()
  const login = Object.assign(new Login(), { user: 'u1', at: '1', device: 'phone' })
  const purchase = Object.assign(new Purchase(), { user: 'u1', at: '2', amount: 3.5 })
  await all.batch().insert(login).insert(purchase).submit()
  fresh.sent.length = 0
  return { ...fresh, all, login, purchase }
}

describe('withMarks', () => {
  it('R-160: distinguishes types by a stored property, which queries filter by', async () => {
    const { all } = await events()
    const rows = await all.query().where({ user: 'u1' }).toArray()
    expect(rows.map((row) => row.constructor)).toEqual([Login, Purchase])
    const purchases = all.ofType(Purchase).query().where({ user: 'u1' })
    expect(purchases.explain().filter).toBe("EntityType eq 'Purchase' and PartitionKey eq 'u1'")
    expect(await purchases.toArray()).toMatchObject([{ amount: 3.5 }])
  })

  it('sends the mark with a whole entity, and not with a change', async () => {
    const { all, sent, login } = await events()
    login.device = 'tablet'
    await all.merge(login)
    await all.replace(login)
    expect(sent.map(({ body }) => String(body))).toEqual([
      '{"PartitionKey":"u1","RowKey":"1","device":"tablet"}',
      '{"PartitionKey":"u1","RowKey":"1","device":"tablet","EntityType":"Login"}',
    ])
  })

  it('sends the mark with an upsert, and not with a merge of an entity that was never read', async () => {
    const { all, sent } = await events()
    await all.insertOrMerge(Object.assign(new Login(), { user: 'u1', at: '3' }))
    await all.merge(Object.assign(new Login(), { user: 'u1', at: '3', device: 'x' }), { etag: '*' })
    expect(sent.map(({ body }) => String(body))).toEqual([
      '{"PartitionKey":"u1","RowKey":"3","EntityType":"Login"}',
      '{"PartitionKey":"u1","RowKey":"3","device":"x"}',
    ])
  })

  it('rejects a row of another type', async () => {
    const { account } = await events()
    const logins = account.table(Login)
    await expect(logins.get(['u1', '2'])).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'UnknownType' }),
    )
    await expect(logins.get(['u1', '2'])).rejects.toThrow("Login (EntityType 'Login')")
  })

  it('reads the mark with every projection', async () => {
    const { all } = await events()
    const [first] = await all.query().where({ user: 'u1' }).select('at').toArray()
    expect(first).toBeInstanceOf(Login)
    expect((await all.ofType(Purchase).get(['u1', '2'], { select: ['amount'] })).amount).toBe(3.5)
  })
})
