import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

/** Loads the packages anew, as a CommonJS copy beside an ESM one. */
async function copy() {
  vi.resetModules()
  return {
    rowkey: await import('rowkey'),
    rest: await import('@rowkey/rest'),
    local: await import('@rowkey/local'),
    odata: await import('@rowkey/odata'),
    patterns: await import('@rowkey/patterns'),
  }
}

const one = await copy()
const other = await copy()

const personOf = ({ rowkey }: typeof one, { rowkey: keys }: typeof one) =>
  rowkey.defineEntity({
    name: 'people',
    partitionKey: keys.key`${'last'}`,
    rowKey: keys.key`${'first'}`,
    schema: z.object({ last: z.string(), first: z.string(), age: z.int().optional() }),
  })

const noteOf = ({ rowkey }: typeof one) =>
  rowkey.defineEntity({
    name: 'notes',
    partitionKey: rowkey.key`${'tenant'}`,
    rowKey: rowkey.key`${'id'}`,
    schema: z.object({ tenant: z.string(), id: z.string(), n: z.int(), ends: z.date().optional() }),
    lifetime: rowkey.lifetime({ expiresAt: 'ends' }),
  })

/** A table with notes of two tenants, one of them over, as each copy opens it. */
async function sharedNotes() {
  const local = one.local.localTableService()
  const open = ({ rowkey }: typeof one) =>
    rowkey.connect(local.connectionString(), { transport: local.transport })
  const account = open(one)
  const notes = account.table(noteOf(one))
  await notes.create()
  await notes.insert({ tenant: 'acme', id: '1', n: 1 })
  await notes.insert({ tenant: 'bolt', id: '1', n: 1 })
  await notes.insert({ tenant: 'acme', id: '0', n: 1, ends: new Date(0) })
  return { local, account, notes, others: open(other).table(noteOf(other)) }
}

describe('two copies of the packages', () => {
  it('are two', () => {
    expect(one.rowkey.gt).not.toBe(other.rowkey.gt)
    expect(one.rest.TransportError).not.toBe(other.rest.TransportError)
  })

  it('recognize the errors of each other, each by its class', () => {
    const error = new other.rest.TransportError({ message: 'x', mayHaveApplied: false })
    expect(error).toBeInstanceOf(one.rest.TransportError)
    expect(error).toBeInstanceOf(one.rowkey.RowkeyError)
    expect(error).not.toBeInstanceOf(one.rest.ServiceError)
    const missing = new other.rest.EntityNotFoundError({
      message: 'x',
      status: 404,
      code: 'ResourceNotFound',
      operation: 'getEntity',
      mayHaveApplied: false,
      requestId: undefined,
    } as never)
    expect(missing).toBeInstanceOf(one.rest.EntityNotFoundError)
    expect(missing).toBeInstanceOf(one.rest.ServiceError)
    expect(missing).not.toBeInstanceOf(one.rest.TableNotFoundError)
    class Own extends one.rowkey.RowkeyError {
      readonly code = 'Own'
    }
    expect(missing).not.toBeInstanceOf(Own)
    expect(new Own({ message: 'x' })).toBeInstanceOf(Own)
  })

  it('retry a transport and a service of the other copy', async () => {
    const local = other.local.localTableService()
    let attempts = 0
    const account = one.rowkey.connect(local.connectionString(), {
      sleep: async () => {},
      transport: async (request, limits) => {
        attempts += 1
        if (attempts % 2 === 1) {
          throw new other.rest.TransportError({ message: 'lost', mayHaveApplied: false })
        }
        return local.transport(request, limits)
      },
    })
    await account.createTable('people')
    expect(attempts).toBe(2)
  })

  it('take operands, raw filters, typed values, templates, models and keys of the other copy', async () => {
    const local = one.local.localTableService()
    const credential = new other.rest.SharedKeyCredential({
      account: 'devstoreaccount1',
      key: other.rest.DEVELOPMENT_KEY,
    })
    const account = one.rowkey.connect({
      endpoint: 'http://127.0.0.1:10002/devstoreaccount1',
      credential,
      transport: local.transport,
    })
    const people = account.table('people')
    await people.create()
    await people.insert(new other.odata.DynamicEntity('Smith', 'Ann', { age: 30 }) as never)
    const found = (condition: object) =>
      people
        .query()
        .where({ partitionKey: 'Smith' })
        .where(condition as never)
        .count()
    expect(await found({ age: other.rowkey.gt(18) })).toBe(1)
    expect(await found({ age: other.rowkey.EntityProperty.int32(30) })).toBe(1)
    expect(await found(other.rowkey.rawFilter('age gt 18'))).toBe(1)
    expect(await found(other.rowkey.filter`age gt ${40}`)).toBe(0)
    for (const model of [personOf(other, other), personOf(one, other)]) {
      expect(await account.table(model).get(['Smith', 'Ann'])).toMatchObject({ first: 'Ann' })
      const adults = account.table(model).query().where({ last: 'Smith' })
      expect(await adults.where({ age: other.rowkey.lt(40) }).count()).toBe(1)
    }
    const sas = people.sas({ permissions: 'r', expiry: new Date(Date.UTC(2099, 0)) })
    expect(sas.token).toContain('sig=')
  })

  it('write no row that the other one read unless they may overwrite it', async () => {
    const { notes, others } = await sharedNotes()
    const read = async () => {
      const note = await notes.get({ tenant: 'acme', id: '1' })
      note.n += 1
      return note
    }
    const missing = { name: 'InputError', code: 'MissingETag' }
    for (const write of [
      async () => others.merge(await read()),
      async () => others.replace(await read()),
      async () => others.delete(await read()),
      async () =>
        others
          .batch()
          .merge(await read())
          .submit(),
    ]) {
      await expect(write(), String(write)).rejects.toMatchObject(missing)
    }
    const bulk = others.bulk().merge([await read()])
    await expect(bulk).rejects.toMatchObject({ cause: missing })
    expect(await notes.get({ tenant: 'acme', id: '1' })).toMatchObject({ n: 1 })
    const own = await read()
    expect(await others.reload(own)).toBe(true)
    own.n = 7
    await others.merge(own)
    expect(await notes.get({ tenant: 'acme', id: '1' })).toMatchObject({ n: 7 })
  })

  it('copy, restrict, sweep and migrate tables of each other, and execute its operations', async () => {
    const { local, account, notes, others } = await sharedNotes()
    const archive = other.rowkey.connect(local.connectionString(), { transport: local.transport })
    const copies = archive.table('archive')
    await copies.create()
    expect(await notes.within({ tenant: 'acme' }).query().copyTo(copies)).toMatchObject({ done: 1 })
    expect((await copies.get(['acme', '1'])).get('n')?.value).toBe(1)
    const { all } = other.rowkey.lifetimeOf(notes.within({ tenant: 'acme' }))
    expect(await all.query().count()).toBe(2)
    expect(await other.rowkey.lifetimeOf(notes).sweep()).toMatchObject({ done: 1 })
    expect(await other.rowkey.upgradeTable(notes as never)).toMatchObject({ upgraded: 0 })
    const insert = other.rowkey.Operation.insert({ tenant: 'acme', id: '2', n: 2 } as never)
    expect(await notes.execute(insert as never)).toMatchObject({ status: 204 })
    const acme = others.within({ tenant: 'acme' })
    expect(await acme.query().count()).toBe(2)
    const foreign = await notes.get({ tenant: 'bolt', id: '1' })
    await expect(acme.reload(foreign as never)).rejects.toMatchObject({ code: 'OutsideWithin' })
    await account.close()
  })

  it('keep the indexes that one declares for the model of the other, within a tenant, too', async () => {
    const { account } = await sharedNotes()
    for (const [model, patterns] of [
      [noteOf(one), other.patterns],
      [noteOf(other), one.patterns],
    ] as const) {
      const name = `of${patterns === one.patterns ? 'One' : 'Other'}`
      const rowKey = other.rowkey.key`n_${'n:4'}_${'id'}`
      const indexes = patterns.declareIndexes(model, { n: { rowKey } })
      const table = account.table(model, { name })
      await table.create()
      for (const tenant of ['acme', 'bolt']) await table.insert({ tenant, id: '1', n: 5 })
      const query = table.within({ tenant: 'acme' }).query().where({ n: 5 })
      expect(query.explain().index).toBe('n')
      expect(await query.toArray()).toMatchObject([{ tenant: 'acme' }])
      const verified = await indexes.on(account as never, { name }).verify()
      expect(verified).toMatchObject({ rows: 2, found: 0 })
    }
  })

  it('keep what both declare for one model', async () => {
    const local = one.local.localTableService()
    const account = one.rowkey.connect(local.connectionString(), { transport: local.transport })
    const Note = noteOf(one)
    const { key } = one.rowkey
    const indexes = one.patterns.declareIndexes(Note, { n: { rowKey: key`${'n:3'}_${'id'}` } })
    const sums = other.patterns.declareSummaries(Note, { all: { rowKey: key`all`, sums: ['n'] } })
    const notes = account.table(Note)
    await notes.create()
    await notes.insert({ tenant: 'acme', id: '1', n: 4 })
    await notes.insert({ tenant: 'acme', id: '2', n: 5 })
    const found = await indexes.on(account).query('n', { tenant: 'acme' }).toArray()
    expect(found.map(({ n }) => n)).toEqual([4, 5])
    expect(await sums.on(account).get('all', { tenant: 'acme' })).toEqual({
      count: 2,
      sums: { n: 9 },
    })
    expect(await sums.on(account).verify()).toMatchObject({ found: 0 })
    await account.close()
  })

  it('do not take a record from outside for a raw filter', () => {
    const record = JSON.parse(JSON.stringify(other.rowkey.rawFilter('age gt 18')))
    expect(() => other.odata.printFilter(Object.freeze(record))).toThrow(/make it with rawFilter/)
    expect(() => one.odata.printFilter(other.rowkey.rawFilter('age gt 18'))).not.toThrow()
  })
})
