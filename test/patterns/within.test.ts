import { type Account, defineEntity, key, lifetime, lifetimeOf } from '@rowkey/mapper'
import {
  chunkStore,
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
} from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { office } from './employees.ts'
import { defineNote } from './notes-of-tenants.ts'

it('writes and queries within the rows of one tenant keep and use what is declared', async () => {
  const { account } = office()
  const Note = defineNote()
  const indexes = declareIndexes(Note, {
    tag: { rowKey: key`${'tag'}_${'id:4'}` },
    size: { rowKey: key`${'size:4'}`, unique: true },
  }).on(account)
  const summaries = declareSummaries(Note, { all: { rowKey: key`all`, sums: ['size'] } }).on(
    account,
  )
  const outbox = declareOutbox(Note, {
    messages: ({ after }) => (after ? [after.id] : []),
    ...announcedTo(),
  }).on(account)
  await account.table(Note).create()
  const notes = account.table(Note).within({ tenant: 'a' })
  await notes.insert({ id: 1, tag: 'x', size: 5 })
  await notes
    .batch()
    .insert({ id: 2, tag: 'x', size: 6 })
    .insert({ id: 3, tag: 'y', size: 7 })
    .submit()
  await account.table(Note).insert({ tenant: 'b', id: 1, tag: 'x', size: 5 })
  const query = notes.query().where({ tag: 'x' })
  expect(query.explain().index).toBe('tag')
  expect((await query.toArray()).map(({ id }) => id)).toEqual([1, 2])
  expect(await indexes.find('size', { tenant: 'a', size: 6 })).toMatchObject({ id: 2 })
  expect((await summaries.get('all', { tenant: 'a' })).sums.size).toBe(18)
  expect(await outbox.pending({ tenant: 'a' })).toEqual([1, 2, 3])
  await notes.deleteAll()
  expect((await summaries.get('all', { tenant: 'a' })).count).toBe(0)
  expect((await summaries.get('all', { tenant: 'b' })).count).toBe(1)
  expect(await indexes.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
})

const defineSession = () =>
  defineEntity({
    name: 'sessions',
    partitionKey: key`${'tenant'}`,
    rowKey: key`s_${'id'}`,
    schema: z.object({
      tenant: z.string(),
      id: z.string(),
      user: z.string(),
      token: z.string(),
      ends: z.date().optional(),
      gone: z.date().optional(),
    }),
    lifetime: lifetime({ expiresAt: 'ends', deletedAt: 'gone' }),
  })

describe('the rows of one tenant in a model with a lifetime and indexes', () => {
  /** Rows of two tenants: of each one is live, one is over, and one is deleted but kept. Each of two programs has an account. */
  async function sessions() {
    const opened = office()
    const Session = defineSession()
    const declared = declareIndexes(
      Session,
      {
        user: { rowKey: key`${'user'}_${'id'}` },
        token: { rowKey: key`${'token'}`, unique: true },
        everywhere: { partitionKey: key`u_${'user'}`, rowKey: key`${'tenant'}_${'id'}` },
      },
      { worker: announcedTo().worker },
    )
    await opened.account.table(Session).create()
    const accounts = [opened.account, opened.rival()]
    const table = opened.account.table(Session)
    for (const tenant of ['a', 'b']) {
      const user = { tenant, user: 'u' }
      await table.insert({ ...user, id: '1', token: 'live' })
      await table.insert({ ...user, id: '2', token: 'over', ends: new Date(0) })
      await table.insert({ ...user, id: '3', token: 'deleted' })
      await table.delete({ tenant, id: '3' }, { etag: '*' })
    }
    await declared.on(opened.account).drain()
    return { ...opened, Session, declared, accounts }
  }

  it('are found by an index in every account, and no others', async () => {
    const { Session, declared, accounts } = await sessions()
    for (const account of accounts) {
      const acme = account.table(Session).within({ tenant: 'a' })
      for (const where of [{ user: 'u' }, { token: 'live' }]) {
        const query = acme.query().where(where)
        await query.count() // reads the states of the indexes
        expect(query.explain().index).toBe(Object.keys(where)[0])
        expect(await query.toArray()).toMatchObject([{ tenant: 'a', id: '1' }])
        expect(await query.count()).toBe(1)
        expect(await query.first()).toMatchObject({ id: '1' })
        expect((await query.page({ size: 1 })).items).toMatchObject([{ tenant: 'a', id: '1' }])
        expect(await query.select('id').toArray()).toMatchObject([{ id: '1' }])
      }
      for (const token of ['over', 'deleted']) {
        expect(await acme.query().where({ token }).toArray()).toEqual([])
        expect(await declared.on(account).find('token', { tenant: 'a', token })).toBeUndefined()
      }
    }
  })

  it('are written in every account, and those that an index finds for another tenant are not', async () => {
    const { Session, declared, accounts } = await sessions()
    for (const [at, account] of accounts.entries()) {
      const acme = account.table(Session).within({ tenant: 'a' })
      const indexes = declared.on(account)
      const token = at === 0 ? 'live' : 'new0'
      const own = await indexes.find('token', { tenant: 'a', token })
      const foreign = await indexes.find('token', { tenant: 'b', token: 'live' })
      if (!own || !foreign) throw new Error('The index lacks a row.')
      own.token = `new${at}`
      await acme.merge(own)
      expect(await acme.query().where({ token: own.token }).toArray()).toMatchObject([{ id: '1' }])
      for (const write of ['merge', 'replace', 'delete', 'reload'] as const) {
        const outside = { code: 'OutsideWithin' }
        await expect(acme[write](foreign), write).rejects.toMatchObject(outside)
      }
      expect(await indexes.verify()).toMatchObject({ found: 0 })
    }
  })

  it('take the key and the values of a row that is over', async () => {
    const { Session, declared, account, accounts } = await sessions()
    for (const each of accounts) {
      const acme = each.table(Session).within({ tenant: 'a' })
      const ends = each === account ? new Date(0) : undefined
      await acme.insert({ id: '2', user: 'v', token: 'over', ends })
      expect(await acme.query().where({ user: 'v' }).count()).toBe(ends === undefined ? 1 : 0)
      expect(await acme.query().where({ user: 'u' }).count()).toBe(1)
    }
    await declared.on(account).drain()
    const everywhere = declared.on(account).query('everywhere', { user: 'v' })
    expect(await everywhere.toArray()).toMatchObject([{ tenant: 'a', id: '2' }])
    expect(await declared.on(account).verify()).toMatchObject({ found: 0 })
  })

  it('are all that a sweep and deleteAll delete', async () => {
    const { Session, declared, account, accounts } = await sessions()
    const acme = accounts[1]?.table(Session).within({ tenant: 'a' })
    if (acme === undefined) throw new Error('The second account is missing.')
    expect(await lifetimeOf(acme).all.query().count()).toBe(3)
    expect(await lifetimeOf(acme).sweep()).toMatchObject({ done: 2 })
    expect(await lifetimeOf(account.table(Session)).all.query().allowTableScan().count()).toBe(4)
    await accounts[1]?.table(Session).within({ tenant: 'a' }).deleteAll()
    expect(await lifetimeOf(account.table(Session)).all.query().allowTableScan().count()).toBe(3)
    expect(await declared.on(account).verify()).toMatchObject({ rows: 3, found: 0 })
  })
})

/** Counts the rows of a table, also those that queries of models leave out; the states of declarations belong to no tenant. */
async function rowsIn(account: Account, table: string) {
  const rows = await account.table(table).query().allowTableScan().toArray()
  return rows.filter(({ partitionKey }) => !partitionKey.startsWith('~rk~')).length
}

describe.each(['storage', 'cosmos'] as const)('deleteAll of one tenant on %s', (flavour) => {
  it('deletes the entries of its rows in other tables and partitions, and those of no other tenant', async () => {
    const { account } = office(flavour)
    const Note = defineNote()
    const indexes = declareIndexes(
      Note,
      {
        tag: { partitionKey: key`tag_${'tag'}`, rowKey: key`${'tenant'}_${'id:4'}` },
        size: {
          partitionKey: key`${'size:4'}`,
          rowKey: key`${'tenant'}_${'id:4'}`,
          table: 'sizes',
        },
      },
      { worker: announcedTo().worker },
    ).on(account)
    await account.table(Note).create()
    await account.createTable('sizes')
    for (const tenant of ['a', 'b']) {
      for (const id of [1, 2]) await account.table(Note).insert({ tenant, id, tag: 'x', size: 5 })
    }
    await indexes.drain()
    // The entries of this row are not written yet.
    await account.table(Note).insert({ tenant: 'a', id: 3, tag: 'y', size: 6 })
    const { done, failed } = await account.table(Note).within({ tenant: 'a' }).deleteAll()
    expect({ done: done > 3, failed }).toEqual({ done: true, failed: 0 })
    expect(await rowsIn(account, 'sizes')).toBe(2)
    const left = await account.table('notes').query().allowTableScan().toArray()
    expect(left.filter(({ partitionKey }) => partitionKey === 'a')).toEqual([])
    const entries = await indexes.query('tag', { tag: 'x' }).toArray()
    expect(entries.map(({ tenant, id }) => [tenant, id])).toEqual([
      ['b', 1],
      ['b', 2],
    ])
    expect(await indexes.verify()).toMatchObject({ rows: 2, found: 0 })
  })

  it('leaves nothing when it is repeated after its program died at any request', async () => {
    let lives = 0
    for (let isDead = true; isDead; lives++) {
      const { account, rival } = office(flavour)
      const Note = defineNote()
      const indexes = declareIndexes(
        Note,
        {
          size: {
            partitionKey: key`${'size:4'}`,
            rowKey: key`${'tenant'}_${'id:4'}`,
            table: 'sizes',
          },
        },
        { worker: announcedTo().worker },
      )
      await account.table(Note).create()
      await account.createTable('sizes')
      for (const tenant of ['a', 'b'])
        for (const id of [1, 2]) await account.table(Note).insert({ tenant, id, tag: 'x', size: 5 })
      await indexes.on(account).drain()
      const dying = rival(lives).table(Note).within({ tenant: 'a' })
      const { ending, failed, unknown } = await dying.deleteAll().summary()
      isDead = ending !== 'complete' || failed + unknown > 0
      await account.table(Note).within({ tenant: 'a' }).deleteAll()
      expect([await rowsIn(account, 'notes'), await rowsIn(account, 'sizes')]).toEqual([3, 2])
      expect(await indexes.on(account).verify()).toMatchObject({ rows: 2, found: 0 })
    }
    expect(lives).toBeGreaterThan(8)
  })

  it('lets the tenant begin again, also in a program that remembers its old rows', async () => {
    const { account, rival } = office(flavour)
    const Note = defineNote()
    const worked = announcedTo()
    const indexes = declareIndexes(
      Note,
      {
        tag: { rowKey: key`${'tag'}_${'id:4'}` },
        one: { rowKey: key`${'size:4'}`, unique: true },
        size: { partitionKey: key`${'size:4'}`, rowKey: key`${'tenant'}_${'id:4'}` },
      },
      { worker: worked.worker },
    )
    const summaries = declareSummaries(Note, { all: { rowKey: key`all`, sums: ['size'] } })
    const told: unknown[] = []
    declareOutbox(Note, {
      messages: ({ after }) => (after ? [after.id] : []),
      worker: worked.worker,
      handle: async (id) => void told.push(id),
    })
    await account.table(Note).create()
    const notes = account.table(Note).within({ tenant: 'a' })
    const begin = async () => {
      await notes.insert({ id: 1, tag: 'x', size: 5 })
      const second = await notes.insert({ id: 2, tag: 'x', size: 7 })
      await notes.merge(Object.assign(second, { size: 6 }))
    }
    for (const deleting of [rival(), account]) {
      await begin()
      const old = await notes.get({ id: 2 })
      await deleting.table(Note).within({ tenant: 'a' }).deleteAll()
      await expect(notes.merge(Object.assign(old, { size: 9 }))).rejects.toThrow('does not exist')
    }
    await begin()
    await indexes.on(account).drain()
    const { count, sums } = await summaries.on(account).get('all', { tenant: 'a' })
    expect([count, sums.size]).toEqual([2, 11])
    expect(await indexes.on(account).find('one', { tenant: 'a', size: 6 })).toMatchObject({ id: 2 })
    expect(await indexes.on(account).verify()).toMatchObject({ rows: 2, found: 0 })
    expect(await summaries.on(account).verify()).toMatchObject({ found: 0 })
    expect(told.length).toBeGreaterThan(0)
  })

  it('deletes its large values, staged ones too', async () => {
    const { account } = office(flavour)
    const Photo = defineEntity({
      name: 'photos',
      partitionKey: key`${'tenant'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ tenant: z.string(), id: z.string(), image: z.string().optional() }),
    })
    const photos = declareLargeValues(Photo, {
      property: 'image',
      store: (used) => chunkStore(used, { table: 'values' }),
    }).on(account)
    await account.table(Photo).create()
    await account.createTable('values')
    for (const tenant of ['a', 'a1', 'b']) {
      const photo = await account.table(Photo).insert({ tenant, id: '1' })
      await photos.save(photo, new Uint8Array(10))
      await photos.stage({ tenant, id: '2' }, new Uint8Array(10))
    }
    const before = await rowsIn(account, 'values')
    await account.table(Photo).within({ tenant: 'a' }).deleteAll()
    expect(await rowsIn(account, 'values')).toBe((before / 3) * 2)
    expect(await rowsIn(account, 'photos')).toBe(2)
  })

  it('removes what other rows hold of its entities', async () => {
    const { account } = office(flavour)
    const Person = defineEntity({
      name: 'persons',
      partitionKey: key`${'tenant'}`,
      rowKey: key`p_${'id'}`,
      schema: z.object({ tenant: z.string(), id: z.string(), name: z.string() }),
    })
    const Team = defineEntity({
      name: 'teams',
      partitionKey: key`team`,
      rowKey: key`${'team'}`,
      schema: z.object({ team: z.string(), lead: z.string(), leadName: z.string().optional() }),
    })
    const copies = declareCopies(Person, Team, {
      fields: { leadName: 'name' },
      source: ({ lead }) => ({ tenant: 'a', id: lead }),
      holders: ({ id }) => [{ team: id }],
      worker: announcedTo().worker,
    }).on(account)
    await account.table(Person).create()
    await account.table(Team).create()
    await account.table(Person).insert({ tenant: 'a', id: '1', name: 'Ann' })
    await account.table(Team).insert(await copies.fill({ team: '1', lead: '1' }))
    expect(await account.table(Team).get({ team: '1' })).toMatchObject({ leadName: 'Ann' })
    await account.table(Person).within({ tenant: 'a' }).deleteAll()
    expect((await account.table(Team).get({ team: '1' })).leadName).toBeUndefined()
    expect(await rowsIn(account, 'persons')).toBe(0)
  })

  it('stops before anything else is deleted when a message fails, and goes on when it is called again', async () => {
    const opened = office(flavour)
    const { account } = opened
    const Note = defineNote()
    let isBroken = true
    const told: unknown[] = []
    declareOutbox(Note, {
      messages: ({ before }) => (before ? [before.id] : []),
      worker: announcedTo().worker,
      handle: async (id) => {
        if (isBroken) throw new Error('no mail today')
        told.push(id)
      },
    })
    const summaries = declareSummaries(Note, { all: { rowKey: key`all` } }).on(account)
    await account.table(Note).create()
    const notes = account.table(Note).within({ tenant: 'a' })
    await notes.insert({ id: 1, tag: 'x', size: 1 })
    await notes.insert({ id: 2, tag: 'x', size: 1 })
    const first = await notes.deleteAll().summary()
    expect(first).toMatchObject({ done: 2, ending: 'failed', cause: { code: 'MessagesLeft' } })
    expect(String(first.cause)).toContain('no mail today')
    expect((await summaries.get('all', { tenant: 'a' })).count).toBe(0)
    isBroken = false
    opened.now += 60_000
    await notes.deleteAll()
    expect(told.toSorted()).toEqual([1, 2])
    expect(await rowsIn(account, 'notes')).toBe(0)
  })
})
