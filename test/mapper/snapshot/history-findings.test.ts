import { localTableService } from '@rowkey/local'
import { Account, type EntityOf, Operation, union, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { freshAccount, losingAccount } from '../fresh-account.ts'
import {
  Bare,
  Cat,
  Defined,
  DefinedTag,
  Dog,
  Mapped,
  Signed,
  Tagged,
  Thing1,
  Thing2,
} from './history-models.ts'

// What random histories found, each as the shortest program.

const at = ['p', 'r'] as const
const key = { pk: 'p', rk: 'r' }
const code = (expected: string) => expect.objectContaining({ code: expected })

/** An account with the tables `one` and `two`, and their rows without a declared class. */
async function account() {
  const { account, sent } = freshAccount()
  await account.createTable('one')
  await account.createTable('two')
  return { account, sent, rows: account.table('one') }
}

/** An account whose service gets the next request only after `release`, once `hold` was called. */
async function holdingAccount() {
  const { transport, connectionString } = localTableService()
  let gate: Promise<void> | undefined
  const holding: Transport = async (request, limits) => {
    const waiting = gate
    gate = undefined
    await waiting
    return transport(request, limits)
  }
  const options = { connectionString: connectionString(), transport: holding, retry: noRetry }
  const account = new Account(tableService(options))
  await account.createTable('one')
  const hold = () => {
    let release = () => {}
    gate = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  return { account, hold, rows: account.table('one') }
}

async function stored(rows: { get(target: typeof at): Promise<DynamicEntity> }) {
  const { properties } = await rows.get(at)
  return Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))
}

describe('a frozen object', () => {
  it('is merged by an operation and a batch, also when only the whole of its row can be read', async () => {
    const { account: a } = await account()
    const table = a.table(Signed, 'one')
    const frozen = Object.freeze(await table.insert(Object.assign(new Signed(), { ...key, n: 1 })))
    const result = await table.execute([Operation.merge(frozen, { etag: frozen.etag ?? '' })])
    expect(result[0].entity).toBe(frozen)
    const again = Object.freeze(await table.get(at))
    await expect(table.batch().merge(again).submit()).resolves.toHaveLength(1)
  })

  it('keeps its ETag for the row that it was read from, and has none after a write elsewhere', async () => {
    const { account: a } = await account()
    const table = a.table(Tagged, 'one')
    const frozen = Object.freeze(await table.insert(Object.assign(new Tagged(), { ...key, n: 1 })))
    await a.table(Tagged, 'two').insertOrMerge(frozen)
    await expect(table.merge(frozen)).rejects.toEqual(code('MissingETag'))
    const row = Object.freeze(await a.table('one').get(at))
    await a.table('two').insertOrReplace(row)
    await expect(a.table('one').merge(row)).rejects.toEqual(code('MissingETag'))
  })

  it('is rejected by a reload during which it was frozen', async () => {
    const { account: a } = await account()
    const table = a.table(Tagged, 'one')
    const read = await table.insert(Object.assign(new Tagged(), { ...key, n: 1 }))
    const reloading = table.reload(read)
    Object.freeze(read)
    await expect(reloading).rejects.toEqual(code('InvalidOptionValue'))
  })
})

describe('a schema', () => {
  it('adds no default for an unselected property', async () => {
    const { account: a, rows } = await account()
    await rows.insert(new DynamicEntity('p', 'r', { n: 1, text: 'of another program' }))
    const table = a.table(Defined, 'one')
    const part = await table.get(at, { select: ['n'] })
    await table.insertOrMerge(part as EntityOf<typeof Defined>)
    expect(await stored(rows)).toEqual({ n: 1, text: 'of another program' })
  })

  it('leaves an object alone whose write is rejected', async () => {
    const { account: a, rows, sent } = await account()
    await rows.insert(new DynamicEntity('p', 'r', { n: 1, note: ' padded ' }))
    const table = a.table(Defined, 'one')
    const part = await table.get(at, { select: ['n'] })
    const whole = part as EntityOf<typeof Defined>
    await expect(table.insertOrReplace(whole)).rejects.toEqual(code('ProjectedEntity'))
    const read = await table.get(at)
    await expect(a.table(Defined, 'two').merge(read)).rejects.toEqual(code('MissingETag'))
    sent.length = 0
    await table.merge(whole)
    await table.merge(read)
    expect(sent).toEqual([])
  })

  it.each([
    ['a replace that is rejected', 'ProjectedEntity', { etag: '*' }],
    ['a replace without an ETag', 'MissingETag', undefined],
  ])('adds no default by %s', async (_, expected, merged) => {
    const { account: a, rows } = await account()
    await rows.insert(new DynamicEntity('p', 'r', { n: 1, text: 'of another program' }))
    const table = a.table(Defined, 'one')
    const mine = { ...key, n: 2 } as EntityOf<typeof Defined>
    if (merged !== undefined) await table.merge(mine, merged)
    await expect(table.replace(mine)).rejects.toEqual(code(expected))
    expect(mine).not.toHaveProperty('text')
    await table.merge(mine, { etag: '*' })
    expect(await stored(rows)).toEqual({ n: 2, text: 'of another program' })
  })
})

describe('a projection that is stored as a new row', () => {
  it.each(['insert', 'insertOrMerge', 'insertOrReplace'] as const)(
    '%s stores every value that it shows, defaults of the class included',
    async (how) => {
      const { account: a, rows } = await account()
      await rows.insert(new DynamicEntity('p', 'r', { n: 4 }))
      const part = await a.table(Tagged, 'one').get(at, { select: ['n', 'text'] })
      const table = a.table(Tagged, 'two')
      await table[how](part as Tagged)
      expect(await stored(a.table('two'))).toEqual({ n: 4, text: 'x' })
      await expect(table.merge(part)).resolves.toBe(part)
      expect(await stored(a.table('two'))).toEqual({ n: 4, text: 'x' })
    },
  )
})

describe('an upsert after a delete', () => {
  it('restores no undeclared property, also after two deletes that are not awaited', async () => {
    const { account: a, hold, rows } = await holdingAccount()
    await rows.insert(new DynamicEntity('p', 'r', { undeclared: 1 }))
    const table = a.table(Tagged, 'one')
    const mine = await table.get(at)
    const release = hold()
    const deletes = Promise.allSettled([table.delete(mine), table.delete(mine)])
    release()
    await deletes
    await table.insertOrMerge(mine)
    await table.insertOrReplace(mine)
    expect(await stored(rows)).not.toHaveProperty('undeclared')
  })

  it('restores no undeclared property after a lost merge by the ETag of the deleted row', async () => {
    const { account: a, lose } = losingAccount()
    await a.createTable('one')
    await a.table('one').insert(new DynamicEntity('p', 'r', { undeclared: 1 }))
    const table = a.table(Tagged, 'one')
    const mine = await table.get(at)
    await table.delete(mine)
    lose(true)
    mine.n = 2
    await expect(table.merge(mine)).rejects.toThrow()
    lose(false)
    await table.insertOrMerge(mine)
    await table.insertOrReplace(mine)
    expect(await stored(a.table('one'))).not.toHaveProperty('undeclared')
  })

  it('restores no undeclared property after a lost upsert and a merge by a new ETag', async () => {
    const { account: a, lose } = losingAccount()
    await a.createTable('one')
    await a.table('one').insert(new DynamicEntity('p', 'r', { undeclared: 1 }))
    const table = a.table(Tagged, 'one')
    const mine = await table.get(at)
    await table.delete(mine, { etag: '*' })
    lose(true)
    await expect(table.insertOrMerge(mine)).rejects.toThrow()
    lose(false)
    await a.table('one').insertOrMerge(new DynamicEntity('p', 'r', { n: 1 }))
    const { etag } = await a.table('one').get(at)
    mine.n = 2
    await table.merge(mine, { etag: etag as string })
    await table.insertOrReplace(mine)
    expect(await stored(a.table('one'))).not.toHaveProperty('undeclared')
  })
})

describe('a merge', () => {
  it('of a migrated object rejects an ETag of a version that it has not read', async () => {
    const { account: a, rows } = await account()
    await a.table(Thing1, 'one').insert(Object.assign(new Thing1(), { ...key, n: 4 }))
    const table = a.table(Thing2, 'one')
    const migrated = await table.get(at)
    const rival = await rows.get(at)
    await rows.merge(rival.set('n', EntityProperty.int32(5)))
    const merge = table.merge(migrated, { etag: rival.etag ?? '' })
    await expect(merge).rejects.toEqual(code('UnknownVersion'))
    expect((await table.get(at)).count).toBe(5)
  })

  it('past others of a versioned object is rejected when the row has another version by now', async () => {
    const { account: a } = await account()
    const table = a.table(Thing1, 'one')
    const mine = await table.insert(Object.assign(new Thing1(), { ...key, n: 4 }))
    await upgradeTable(a.table(Thing2, 'one'))
    mine.text = 'x'
    await expect(table.merge(mine, { etag: '*' })).rejects.toEqual(code('UnknownVersion'))
    await expect(table.batch().merge(mine, { etag: '*' }).submit()).rejects.toEqual(
      code('UnknownVersion'),
    )
    expect((await a.table(Thing2, 'one').get(at)).text).toBeUndefined()
  })

  it('of a copy lets a union still know its type', async () => {
    const { account: a } = await account()
    const table = a.table('one', union(Cat, Dog, { unknown: 'dynamic' }))
    const dog = await table.insert({ ...key, n: 1, label: 'dog' })
    const copy = { ...(dog as EntityOf<typeof Dog>), n: 2 }
    await table.merge(copy)
    await expect(table.insert(copy)).rejects.toEqual(code('EntityAlreadyExists'))
  })

  it('of a class that maps itself rejects the loss of a property that may be stored', async () => {
    const { account: a, lose } = losingAccount()
    await a.createTable('one')
    const table = a.table(Mapped, 'one')
    const read = await table.insert(Object.assign(new Mapped(), { ...key, n: 4 }))
    read.position = { y: 1 }
    lose(true)
    await expect(table.merge(read, { etag: '*' })).rejects.toThrow()
    lose(false)
    read.position = {}
    await expect(table.merge(read, { etag: '*' })).rejects.toThrow(/py may be stored/)
  })

  it('past others sends a deleted object whole, once', async () => {
    const { account: a, rows, sent } = await account()
    const table = a.table(DefinedTag, 'one')
    const mine = await table.insert({ ...key, n: 4, text: 'mine' })
    await table.delete(mine)
    await rows.insert(new DynamicEntity('p', 'r', { n: 9 }))
    await table.merge(mine, { etag: '*' })
    expect(await stored(rows)).toEqual({ n: 4, text: 'mine' })
    sent.length = 0
    await table.merge(mine, { etag: '*' })
    expect(sent).toEqual([])
  })

  it('of an object whose delete is in doubt sends what changed and nothing else', async () => {
    const { account: a, lose } = losingAccount()
    await a.createTable('one')
    const table = a.table(Tagged, 'one')
    const mine = await table.insert(Object.assign(new Tagged(), { ...key, n: 4, text: 'mine' }))
    lose(true)
    await expect(table.delete(mine)).rejects.toThrow()
    lose(false)
    await a.table('one').insert(new DynamicEntity('p', 'r', { text: 'of another program' }))
    mine.n = 5
    await table.merge(mine, { etag: '*' })
    expect(await table.get(at)).toMatchObject({ n: 5, text: 'of another program' })
  })

  it('that is pending during a reload is not undone by the values of the reload', async () => {
    const { account: a, hold, rows } = await holdingAccount()
    const table = a.table(Tagged, 'one')
    const mine = await table.insert(Object.assign(new Tagged(), { ...key, n: 4, ratio: 2 }))
    mine.n = 1
    const release = hold()
    const pending = table.insertOrReplace(mine)
    await table.reload(mine)
    expect(mine.n).toBe(4)
    release()
    await pending
    mine.ratio = 3
    await expect(table.merge(mine)).rejects.toEqual(code('UpdateConditionNotSatisfied'))
    await expect(table.replace(mine)).rejects.toEqual(code('UpdateConditionNotSatisfied'))
    await table.merge(mine, { etag: '*' })
    expect(await stored(rows)).toMatchObject({ n: 1, ratio: 3 })
    await table.reload(mine)
    mine.n = 5
    await table.replace(mine)
    expect(await stored(rows)).toMatchObject({ n: 5, ratio: 3 })
  })

  it('that is whole and pending without a default lets the caller set that default meanwhile', async () => {
    const { account: a, hold, rows } = await holdingAccount()
    await rows.insert(new DynamicEntity('p', 'r', { n: EntityProperty.int32(4) }))
    const table = a.table(Tagged, 'one')
    const mine = await table.get(at)
    delete mine.ratio
    const release = hold()
    const pending = table.replace(mine)
    mine.ratio = 1
    const merged = table.merge(mine, { etag: '*' })
    release()
    await Promise.all([pending, merged])
    expect(await stored(rows)).toMatchObject({ ratio: 1 })
  })

  it('past others that waits for a delete stores nothing of the deleted row again', async () => {
    const { account: a, hold, rows } = await holdingAccount()
    await rows.insert(new DynamicEntity('p', 'r', { n: EntityProperty.int32(4), other: 'o' }))
    const table = a.table(Bare, 'one')
    const mine = await table.get(at)
    const release = hold()
    const pending = [table.delete(mine, { etag: '*' }), table.insertOrMerge(mine)]
    release()
    await Promise.all(pending)
    await table.insertOrReplace(mine)
    expect(await stored(rows)).toEqual({ n: 4 })
  })

  it('after a delete that was pending while the object was first read finds that the row is gone', async () => {
    const { account: a, hold, rows } = await holdingAccount()
    await rows.insert(new DynamicEntity('p', 'r', { n: EntityProperty.int32(4) }))
    const table = a.table(Tagged, 'one')
    const mine = Object.assign(new Tagged(), { ...key, n: 1 })
    const release = hold()
    const pending = table.delete(mine, { etag: '*' })
    await table.reload(mine)
    release()
    await pending
    await expect(table.merge(mine)).rejects.toEqual(code('ResourceNotFound'))
  })

  it('past others does not ignore the removal of a value from a row of an earlier version', async () => {
    const { account: a } = await account()
    await a.table(Thing1, 'one').insert(Object.assign(new Thing1(), { ...key, n: 4 }))
    const table = a.table(Thing2, 'one')
    const mine = await table.get(at)
    delete mine.count
    await expect(table.merge(mine, { etag: '*' })).rejects.toEqual(code('UnknownVersion'))
  })
})
