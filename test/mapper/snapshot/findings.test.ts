import {
  Account,
  Blob,
  defineEntity,
  Entity,
  ETag,
  key,
  PartitionKey,
  Property,
  RowKey,
  Text,
  union,
} from '@rowkey/mapper'
import { DecodeError, DynamicEntity, EntityProperty, InputError } from '@rowkey/odata'
import {
  EntityNotFoundError,
  ETagMismatchError,
  type HttpRequest,
  insertEntity,
  noRetry,
  perform,
  type TableService,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { at, jeff, Player, players } from './players.ts'

/** Stores a row by its JSON, as another program would. */
async function store(service: TableService, table: string, body: string) {
  const { PartitionKey: partitionKey, RowKey: rowKey } = JSON.parse(body)
  await perform(service, insertEntity, { table, key: { partitionKey, rowKey }, body })
}

/** An account whose one row the service cannot store: reads return the body, writes succeed. */
function scriptedAccount(body: string) {
  const sent: HttpRequest[] = []
  const transport: Transport = async (request) => {
    sent.push(request)
    return request.method === 'GET'
      ? { status: 200, headers: { etag: 'W/"1"' }, body }
      : { status: 204, headers: { etag: 'W/"2"' }, body: '' }
  }
  const connectionString = 'UseDevelopmentStorage=true'
  const account = new Account(tableService({ connectionString, transport, retry: noRetry }))
  return { account, sent }
}

const code = (expected: string) => expect.objectContaining({ code: expected })

describe('an untyped row that was written past others', () => {
  it.each(['merge', 'insertOrMerge'] as const)('is not replaced after %s', async (method) => {
    const { rows } = await players()
    await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 1 }))
    const mine = await rows.get([...at])
    const rival = await rows.get([...at])
    await rows.merge(rival.set('X', 'of the rival'))
    mine.set('points', 2)
    if (method === 'merge') await rows.merge(mine, { etag: '*' })
    else await rows.insertOrMerge(mine)
    await expect(rows.replace(mine)).rejects.toEqual(code('ProjectedEntity'))
    expect((await rows.get([...at])).get('X')?.value).toBe('of the rival')
  })

  it('is not replaced in a batch', async () => {
    const { rows } = await players()
    const mine = await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 1 }))
    await rows.merge((await rows.get([...at])).set('X', 1))
    await rows.merge(mine.set('points', 2), { etag: '*' })
    expect(() => rows.batch().replace(mine)).toThrow(/replace could drop unknown properties/)
  })

  it('is not replaced as a row of another type of a union', async () => {
    const { account, rows } = await players()
    const Order = defineEntity({
      name: 'players',
      discriminator: { Kind: 'order' },
      partitionKey: key`${'p'}`,
      rowKey: key`${'r'}`,
      schema: z.object({ p: z.string(), r: z.string() }),
    })
    const store = account.table('players', union(Order, { unknown: 'dynamic' }))
    await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 1 }))
    const mine = (await store.get([...at])) as DynamicEntity
    await rows.merge((await rows.get([...at])).set('X', 1))
    await store.merge(mine.set('points', 2), { etag: '*' })
    await expect(store.replace(mine)).rejects.toEqual(code('ProjectedEntity'))
  })
})

describe('an entity of one table', () => {
  it('is as if never read in another account', async () => {
    const [a, b] = [await players(), await players()]
    const read = await a.table.insert(jeff({ points: 1 }))
    await b.table.insert(jeff({ points: 7 }))
    await expect(b.table.merge(read)).rejects.toEqual(code('MissingETag'))
    await expect(b.table.replace(read)).rejects.toThrow(/another table/)
    await expect(b.table.delete(read)).rejects.toEqual(code('MissingETag'))
    await b.table.merge(read, { etag: '*' })
    expect(await b.table.get([...at])).toMatchObject({ points: 1 })
  })

  it('is as if never read in another table', async () => {
    const { account, table } = await players()
    const other = account.table(Player, 'others')
    await other.create()
    const read = await table.insert(jeff({ points: 1 }))
    await expect(other.merge(read)).rejects.toEqual(code('MissingETag'))
    await expect(other.merge(read, { etag: '*' })).rejects.toThrow(EntityNotFoundError)
  })

  it('is sent to the first table again after it was inserted into a second', async () => {
    const [a, b] = [await players(), await players()]
    const read = await a.table.insert(jeff({ points: 1 }))
    read.points = 2
    await b.table.insert(read)
    await expect(a.table.merge(read)).rejects.toEqual(code('MissingETag'))
    await a.table.merge(read, { etag: '*' })
    expect(await a.table.get([...at])).toMatchObject({ points: 2 })
  })

  it('carries undeclared properties along when it is copied', async () => {
    const [a, b] = [await players(), await players()]
    const row = new DynamicEntity('chess', 'Jeff', { points: 1, extra: EntityProperty.double(3) })
    await a.rows.insert(row)
    await b.table.insert(await a.table.get([...at]))
    expect((await b.rows.get([...at])).get('extra')).toEqual(EntityProperty.double(3))
  })
})

describe('a class with members called partitionKey and rowKey beside its keys', () => {
  @Entity('audits')
  class Audit {
    @PartitionKey() day!: string
    @RowKey() id!: string
    partitionKey?: string
    rowKey?: string
    @Property('String') note?: string
  }

  it('is addressed by its own keys everywhere', async () => {
    const { account } = freshAccount()
    const audits = account.table(Audit)
    await audits.create()
    const one = await audits.insert({
      day: 'd',
      id: '1',
      partitionKey: 'd',
      rowKey: '2',
      note: 'a',
    })
    await audits.insert({ day: 'd', id: '2', note: 'the row that the members name' })
    expect(await audits.get({ day: 'd', id: '1' })).toMatchObject({ note: 'a' })
    const target = { day: 'd', id: '1', partitionKey: 'd', rowKey: '2' }
    expect(await audits.find(target)).toMatchObject({ note: 'a' })
    await audits.modify(target, (audit) => {
      audit.note = 'b'
    })
    await audits.reload(one)
    await audits.batch().delete(one).submit()
    expect(await audits.find(['d', '1'])).toBeUndefined()
    expect(await audits.get(['d', '2'])).toMatchObject({ note: 'the row that the members name' })
  })

  it('is found by the parts of its key template', async () => {
    const { account } = freshAccount()
    const Log = defineEntity({
      name: 'logs',
      partitionKey: key`${'partitionKey'}-${'day'}`,
      rowKey: key`${'rowKey:4'}`,
      schema: z.object({ partitionKey: z.string(), day: z.string(), rowKey: z.number().int() }),
    })
    const logs = account.table(Log)
    await logs.create()
    await logs.insert({ partitionKey: 'a', day: 'd', rowKey: 7 })
    expect(await logs.get({ partitionKey: 'a', day: 'd', rowKey: 7 })).toMatchObject({ rowKey: 7 })
  })
})

describe('a merge by the own ETag', () => {
  it('rejects a property whose value is of an earlier version', async () => {
    const { table } = await players()
    const mine = await table.insert(jeff({ points: 5, clan: 'Rooks' }))
    const rival = await table.get([...at])
    rival.points = 50
    await table.merge(rival)
    mine.clan = 'Knights'
    await table.merge(mine, { etag: '*' })
    mine.points = (mine.points ?? 0) + 1
    const refused = table.merge(mine)
    await expect(refused).rejects.toEqual(code('StaleProperty'))
    await expect(refused).rejects.toThrow(/'points'.*[Rr]eload.*etag: '\*'/)
    expect(await table.get([...at])).toMatchObject({ points: 50, clan: 'Knights' })
    await table.reload(mine)
    mine.points = (mine.points ?? 0) + 1
    await table.merge(mine)
    expect(await table.get([...at])).toMatchObject({ points: 51 })
  })

  it('still sends a property that the object wrote past others itself', async () => {
    const { table } = await players()
    const mine = await table.insert(jeff({ clan: 'Rooks' }))
    mine.clan = 'Knights'
    await table.merge(mine, { etag: '*' })
    mine.clan = 'Bishops'
    await table.merge(mine)
    expect(await table.get([...at])).toMatchObject({ clan: 'Bishops' })
  })
})

describe('a long value in pieces', () => {
  @Entity('texts')
  class Letter {
    @PartitionKey() p!: string
    @RowKey() r!: string
    @Text() a?: string
    @Blob() b?: Uint8Array
    @Property('Int32') n?: number
  }

  async function letters() {
    const { account, service } = freshAccount()
    const table = account.table(Letter)
    await table.create()
    return { table, service, rows: account.table('texts') }
  }

  it('does not drop a property that only looks like a piece', async () => {
    const { table, rows } = await letters()
    const row = new DynamicEntity('p', 'r', { a: 'short', a_2: EntityProperty.double(3) })
    await rows.insert(row)
    const read = await table.get(['p', 'r'])
    read.n = 1
    await table.replace(read)
    expect((await rows.get(['p', 'r'])).get('a_2')).toEqual(EntityProperty.double(3))
    read.a = 'x'.repeat(40_000)
    await expect(table.merge(read)).rejects.toThrow(/'a_2'.*Double/)
  })

  it('sends an untouched text of 32,768 units as it is stored', async () => {
    const { table, rows } = await letters()
    const text = 'x'.repeat(32_768)
    await rows.insert(new DynamicEntity('p', 'r', { a: text }))
    const read = await table.get(['p', 'r'])
    read.n = 1
    await table.replace(read)
    const stored = await rows.get(['p', 'r'])
    expect([...stored.properties.keys()].sort()).toEqual(['a', 'n'])
    expect(stored.get('a')?.value).toBe(text)
  })
})

describe('what another program stored', () => {
  it('a lone surrogate in a declared property blocks no write', async () => {
    const { table, rows, service } = await players()
    await store(
      service,
      'players',
      '{"PartitionKey":"chess","RowKey":"Jeff","clan":"\\ud800","points":1}',
    )
    const read = await table.get([...at])
    read.points = 2
    await table.merge(read)
    read.points = 3
    await table.replace(read)
    expect((await rows.get([...at])).get('clan')?.value).toBe('\ud800')
  })
})

describe('several types and versions', () => {
  const V1 = defineEntity({
    name: 'orders',
    partitionKey: key`${'customer'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ customer: z.string(), id: z.string(), amount: z.string().optional() }),
  })
  const V2 = defineEntity({
    name: 'orders',
    version: 2,
    previous: V1,
    migrate: ({ customer, id, amount }) => ({ customer, id, cents: Number(amount ?? 0) * 100 }),
    partitionKey: key`${'customer'}`,
    rowKey: key`${'id'}`,
    schema: z.object({
      customer: z.string(),
      id: z.string(),
      cents: z.number().int(),
      note: z.string().optional(),
    }),
  })

  async function orders() {
    const { account } = freshAccount()
    const [v1, v2] = [account.table(V1), account.table(V2)]
    await v1.create()
    return { account, v1, v2, rows: account.table('orders') }
  }

  it('a reload rejects a row that is of another type by now', async () => {
    const { account } = freshAccount()
    const kind = (name: string) =>
      defineEntity({
        name: 'store',
        discriminator: { Kind: name },
        partitionKey: key`${'p'}`,
        rowKey: key`${'r'}`,
        schema: z.object({ p: z.string(), r: z.string(), n: z.number().optional() }),
      })
    const [A, B] = [kind('a'), kind('b')]
    const table = account.table('store', union(A, B))
    await account.createTable('store')
    const mine = await table.ofType(A).insert({ p: 'p', r: 'r' })
    const read = (await table.get(['p', 'r'])) as typeof mine
    await table.ofType(B).insertOrReplace({ p: 'p', r: 'r' })
    await expect(table.reload(read)).rejects.toEqual(code('UnknownType'))
  })

  it('a partial merge past others is rejected where the stored version is unknown', async () => {
    const { v1, v2, rows } = await orders()
    await v1.insert({ customer: 'c', id: '1', amount: '3' })
    const part = { customer: 'c', id: '1', cents: 5 }
    await expect(v2.merge(part, { etag: '*' })).rejects.toEqual(code('UnknownVersion'))
    await expect(v2.insertOrMerge(part)).rejects.toEqual(code('UnknownVersion'))
    expect((await rows.get(['c', '1'])).has('Version')).toBe(false)
    expect(await v2.get(['c', '1'])).toMatchObject({ cents: 300 })
  })

  it('an old program rejects rows of a later version', async () => {
    const { v1, v2 } = await orders()
    await v2.insert({ customer: 'c', id: '1', cents: 5 })
    await expect(v1.get(['c', '1'])).rejects.toEqual(code('UnreadableVersion'))
    await expect(
      v1.modify(['c', '1'], (order) => {
        order.amount = '9'
      }),
    ).rejects.toThrow(DecodeError)
    await expect(v1.query().where({ customer: 'c' }).toArray()).rejects.toThrow(
      /this program can only read version 1/,
    )
  })

  it('a merge of a migrated row removes what the migration replaced', async () => {
    const { v1, v2, rows } = await orders()
    await v1.insert({ customer: 'c', id: '1', amount: '3' })
    const migrated = await v2.get(['c', '1'])
    migrated.note = 'now'
    await v2.merge(migrated)
    const stored = await rows.get(['c', '1'])
    expect([...stored.properties.keys()].sort()).toEqual(['Version', 'cents', 'note'])
  })

  it('a version can read the next one, and its changes keep the row in the next one', async () => {
    const later = z.object({ customer: z.string(), id: z.string(), cents: z.number().int() })
    const Ready = defineEntity({
      name: 'orders',
      version: 1,
      next: () => Next,
      migrateBack: ({ customer, id, cents }: z.output<typeof later>) => ({
        customer,
        id,
        amount: String(cents / 100),
      }),
      partitionKey: key`${'customer'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ customer: z.string(), id: z.string(), amount: z.string() }),
    })
    const Next = defineEntity({
      name: 'orders',
      version: 2,
      previous: Ready,
      migrate: ({ customer, id, amount }) => ({ customer, id, cents: Number(amount) * 100 }),
      partitionKey: key`${'customer'}`,
      rowKey: key`${'id'}`,
      schema: later,
    })
    const { account, rows } = await orders()
    await account.table(Next).insert({ customer: 'c', id: '1', cents: 300 })
    const ready = account.table(Ready)
    const read = await ready.get(['c', '1'])
    expect(read).toMatchObject({ amount: '3' })
    read.amount = '4'
    await ready.merge(read)
    const stored = await rows.get(['c', '1'])
    expect(stored.get('Version')?.value).toBe(2)
    expect(stored.get('cents')?.value).toBe(400)
  })
})

describe('after select', () => {
  it('a property that is set to the default of its class is sent', async () => {
    const { table, rows } = await players()
    await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 1, motto: 'old' }))
    const [row] = await table.query().where({ game: 'chess' }).select('points').toArray()
    Object.assign(row as object, { motto: 'none' })
    await table.merge(row as Player)
    expect(await table.get([...at])).toMatchObject({ points: 1, motto: 'none' })
  })

  it('a property that was neither selected nor set keeps its stored value', async () => {
    const { table, rows } = await players()
    await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 1, motto: 'old' }))
    const row = await table.get([...at], { select: ['points'] })
    row.points = 2
    await table.merge(row as Player)
    expect(await table.get([...at])).toMatchObject({ points: 2, motto: 'old' })
  })
})

describe('undeclared properties with a dot or a colon in their names', () => {
  it.each(['replace', 'insertOrReplace', 'batch'] as const)(
    'keep their types and values in %s',
    async (how) => {
      const body =
        '{"PartitionKey":"chess","RowKey":"Jeff","points":1,"a.b@odata.type":"Edm.Double","a.b":3.0,"c:d":2.0}'
      const { account, sent } = scriptedAccount(body)
      const table = account.table(Player)
      const read = await table.get([...at])
      read.points = 2
      const isBatch = how === 'batch'
      const change = isBatch ? table.batch().replace(read).submit() : table[how](read)
      await change.catch(() => undefined) // a batch gets no response that it understands
      expect(sent.at(-1)?.body).toContain('"a.b@odata.type":"Edm.Double","a.b":3.0')
      expect(sent.at(-1)?.body).toContain('"c:d@odata.type":"Edm.Double","c:d":2.0')
    },
  )
})

describe('a schema with transforms', () => {
  it('keeps stored values that the caller did not change', async () => {
    const { account, service } = freshAccount()
    const Note = defineEntity({
      name: 'notes',
      partitionKey: key`${'p'}`,
      rowKey: key`${'r'}`,
      schema: z.object({
        p: z.string(),
        r: z.string(),
        title: z.string().trim(),
        rank: z.enum(['low', 'mid']).catch('low'),
        body: z.string().trim().optional(),
      }),
    })
    const notes = account.table(Note)
    await notes.create()
    await store(
      service,
      'notes',
      '{"PartitionKey":"p","RowKey":"r","title":"  a  ","rank":"high","body":" b "}',
    )
    const read = await notes.get(['p', 'r'])
    read.body = ' c '
    await notes.replace(read)
    const stored = await account.table('notes').get(['p', 'r'])
    expect(stored.get('title')?.value).toBe('  a  ')
    expect(stored.get('rank')?.value).toBe('high')
    expect(stored.get('body')?.value).toBe('c')
  })
})

describe('a copy', () => {
  @Entity('members')
  class Member {
    @PartitionKey() p!: string
    @RowKey() r!: string
    @Property('Int32') n?: number
    @ETag() etag?: string
  }

  it('with the ETag of a row that it does not know whole is not a replacement', async () => {
    const { account } = freshAccount()
    const table = account.table(Member)
    await table.create()
    const rows = account.table('members')
    await rows.insert(new DynamicEntity('p', 'r', { n: 1, extra: 'kept' }))
    const read = await table.get(['p', 'r'])
    await expect(table.replace({ ...read, n: 2 })).rejects.toEqual(code('ProjectedEntity'))
    await expect(table.replace({ ...read, n: 2 })).rejects.toThrow(/copy/)
    await table.merge({ ...read, n: 2 })
    expect((await rows.get(['p', 'r'])).get('extra')?.value).toBe('kept')
  })

  it('without an ETag is rejected with the hint that copies carry none', async () => {
    const { table } = await players()
    const read = await table.insert(jeff({ points: 1 }))
    await expect(table.replace({ ...read, points: 2 })).rejects.toThrow(/\{ \.\.\.entity \}/)
  })
})

describe('modify', () => {
  it('calls the function with the entity as this', async () => {
    const { table } = await players()
    await table.insert(jeff({ points: 1 }))
    await table.modify([...at], function () {
      this.points = 7
    })
    expect(await table.get([...at])).toMatchObject({ points: 7 })
  })

  it('inserts the entity of orInsert when the entity is missing', async () => {
    const { table } = await players()
    const count = () =>
      table.modify(
        [...at],
        (player) => {
          player.points = (player.points ?? 0) + 1
        },
        { orInsert: () => jeff({ points: 1 }) },
      )
    expect(await count()).toMatchObject({ points: 1 })
    expect(await count()).toMatchObject({ points: 2 })
    await Promise.all([count(), count(), count()])
    expect(await table.get([...at])).toMatchObject({ points: 5 })
  })

  it('counts right when several callers meet a missing entity', async () => {
    const { table } = await players()
    const count = () =>
      table.modify(
        [...at],
        (player) => {
          player.points = (player.points ?? 0) + 1
        },
        { orInsert: jeff({ points: 1 }) },
      )
    await Promise.all([count(), count(), count(), count()])
    expect(await table.get([...at])).toMatchObject({ points: 4 })
  })

  it('rejects an orInsert with another key', async () => {
    const { table } = await players()
    const other = { ...jeff(), name: 'Ann' }
    await expect(table.modify([...at], () => undefined, { orInsert: other })).rejects.toThrow(
      /the same key/,
    )
    await expect(table.modify([...at], () => undefined, { orInsert: 5 as never })).rejects.toThrow(
      /orInsert/,
    )
  })
})

describe('a table without a declared class', () => {
  it('accepts plain objects, with the types of their values', async () => {
    const { rows } = await players()
    const row = { partitionKey: 'chess', rowKey: 'Jeff', points: 5n, rating: 1.5, on: true }
    const inserted = await rows.insert(row)
    expect(inserted).toBeInstanceOf(DynamicEntity)
    expect(inserted.etag).toBeDefined()
    const stored = await rows.get([...at])
    expect(stored.get('points')?.type).toBe('Int64')
    expect(stored.get('rating')?.type).toBe('Double')
    await rows
      .batch()
      .insertOrReplace({ ...row, rating: 2 })
      .submit()
    expect((await rows.get([...at])).get('rating')?.type).toBe('Int32')
  })

  it.each([undefined, null, 5, 'x', []])('rejects %o by name', async (garbage) => {
    const { rows, table } = await players()
    for (const each of [rows, table as unknown as typeof rows]) {
      const given = garbage as never
      await expect(each.insert(given)).rejects.toEqual(code('InvalidEntity'))
      await expect(each.merge(given)).rejects.toEqual(code('InvalidEntity'))
      await expect(each.replace(given)).rejects.toEqual(code('InvalidEntity'))
      await expect(each.insertOrMerge(given)).rejects.toEqual(code('InvalidEntity'))
      await expect(each.insertOrReplace(given)).rejects.toEqual(code('InvalidEntity'))
      await expect(each.delete(given)).rejects.toThrow(InputError)
      await expect(each.reload(given)).rejects.toThrow(InputError)
      await expect(each.modify(given, () => undefined)).rejects.toThrow(InputError)
      expect(() => each.batch().insert(given)).toThrow(InputError)
    }
    await expect(rows.insert({} as never)).rejects.toThrow(/partitionKey, rowKey/)
  })
})

describe('a row that does not fit its model', () => {
  it('is a DecodeError that names table, PartitionKey and RowKey', async () => {
    const { table, rows } = await players()
    await rows.insert(new DynamicEntity('chess', 'Jeff', { points: 'many' }))
    const error = await table.get([...at]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).not.toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      code: 'UnreadableProperty',
      details: {
        table: 'players',
        partitionKey: 'chess',
        rowKey: 'Jeff',
        property: 'Player.points',
      },
    })
    expect((error as Error).message).toContain('["chess","Jeff"]')
    await expect(table.query().where({ game: 'chess' }).toArray()).rejects.toMatchObject({
      details: { table: 'players', partitionKey: 'chess', rowKey: 'Jeff' },
    })
  })

  it('is named by its key when it is written, too', async () => {
    const { table } = await players()
    const error = await table.insert(jeff({ points: 1.5 })).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InputError)
    expect((error as Error).message).toContain('(entity ["chess","Jeff"] of table players)')
    expect((error as Error).stack).toContain('["chess","Jeff"]')
  })

  it('is named when it holds a value that no Edm type stores', async () => {
    class Note {
      @PartitionKey() pk = 'p'
      @RowKey() rk = 'r'
      @Property() text?: string
    }
    const { account } = await players()
    const notes = account.table(Note, 'players')
    const note = Object.assign(new Note(), { text: {} as string })
    const error = await notes.insert(note).catch(String)
    expect(error).toMatch(/InputError: Note\.text\b.* \(entity \["p","r"\] of table players\)/)
  })
})

describe('a frozen object', () => {
  it('is returned as another object with its defaults and its ETag', async () => {
    const { account } = freshAccount()
    const Item = defineEntity({
      name: 'items',
      partitionKey: key`${'p'}`,
      rowKey: key`${'r'}`,
      etag: 'etag',
      schema: z.object({ p: z.string(), r: z.string(), state: z.string().default('open') }),
    })
    const items = account.table(Item)
    await items.create()
    const frozen = Object.freeze({ p: 'p', r: 'r' })
    const inserted = await items.insert(frozen)
    expect(inserted).toMatchObject({ p: 'p', r: 'r', state: 'open', etag: expect.any(String) })
    inserted.state = 'closed'
    await items.merge(inserted)
    expect(await items.get(['p', 'r'])).toMatchObject({ state: 'closed' })
  })
})

describe('a merge of an object that did not change', () => {
  it('still checks an ETag that is not of the version that was read', async () => {
    const { table } = await players()
    const read = await table.insert(jeff({ points: 1 }))
    await expect(table.merge(read, { etag: 'W/"other"' })).rejects.toThrow(ETagMismatchError)
  })

  it('finds out that the row was deleted by this object', async () => {
    const { table } = await players()
    const read = await table.insert(jeff({ points: 1 }))
    await table.delete(read)
    await expect(table.merge(read)).rejects.toThrow(EntityNotFoundError)
  })
})

describe('what an attack on the snapshot found', () => {
  const V1 = defineEntity({
    name: 'orders',
    partitionKey: key`${'customer'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ customer: z.string(), id: z.string(), total: z.string().optional() }),
  })
  const V2 = defineEntity({
    name: 'orders',
    partitionKey: key`${'customer'}`,
    rowKey: key`${'id'}`,
    etag: 'etag',
    version: 2,
    previous: V1,
    migrate: ({ customer, id, total }) => ({ customer, id, amount: Number(total) }),
    schema: z.object({ customer: z.string(), id: z.string(), amount: z.number() }),
  })

  async function oldRow() {
    const { account } = freshAccount()
    const v1 = account.table(V1)
    await v1.create()
    await v1.insert({ customer: 'c', id: '1', total: '9' })
    return { v1, v2: account.table(V2), rows: account.table('orders') }
  }

  it('a copy of a migrated row is not merged into the row of the earlier version', async () => {
    const { v2 } = await oldRow()
    const copy = { ...(await v2.get(['c', '1'])), amount: 5 }
    await expect(v2.merge(copy)).rejects.toEqual(code('UnknownVersion'))
    expect(await v2.get(['c', '1'])).toMatchObject({ amount: 9 })
  })

  it('an entity that was never read is not merged into a row of an unknown version', async () => {
    const { v2, rows } = await oldRow()
    const { etag } = await rows.get(['c', '1'])
    const part = { customer: 'c', id: '1', amount: 5 }
    await expect(v2.merge(part, { etag })).rejects.toEqual(code('UnknownVersion'))
  })

  it('a model without versions rejects rows of a later version in projections, too', async () => {
    const { v1, v2 } = await oldRow()
    await v2.insert({ customer: 'c', id: '2', amount: 5 })
    await expect(v1.get(['c', '2'], { select: ['total'] })).rejects.toThrow(
      /this program can only read version 1/,
    )
    expect(await v1.get(['c', '1'], { select: ['total'] })).toMatchObject({ total: '9' })
  })

  it('a long text that the object wrote past others may grow by a piece', async () => {
    @Entity('essays')
    class Essay {
      @PartitionKey() p!: string
      @RowKey() r!: string
      @Text() a?: string
    }
    const { account } = freshAccount()
    const table = account.table(Essay)
    await table.create()
    const mine = await table.insert(Object.assign(new Essay(), { p: 'p', r: 'r', a: 'short' }))
    mine.a = 'other'
    await table.merge(mine, { etag: '*' })
    mine.a = 'x'.repeat(40_000)
    await table.merge(mine)
    expect((await table.get(['p', 'r'])).a).toHaveLength(40_000)
  })
})
