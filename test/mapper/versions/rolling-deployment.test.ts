import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  Entity,
  encrypted,
  encryptionKeys,
  key,
  longText,
  Operation,
  PartitionKey,
  Property,
  RowKey,
  signingKeys,
  type Table,
  union,
  upgradeTable,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { ETagMismatchError, noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const keys = { name: 'people', partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
const parts = { team: z.string(), id: z.string(), note: z.string().optional() }
const earlier = z.object({ ...parts, name: z.string() })
const later = z.object({ ...parts, fullName: z.string(), nick: z.string().optional() })

/** The program that runs when the deployment begins. */
const V1 = defineEntity({
  ...keys,
  schema: earlier,
  version: 1,
  next: () => V2,
  migrateBack: ({ team, id, fullName, note }: z.output<typeof later>) => ({
    team,
    id,
    name: fullName,
    note,
  }),
})

/** The program that replaces it. */
const V2 = defineEntity({
  ...keys,
  schema: later,
  version: 2,
  previous: V1,
  migrate: ({ team, id, name, note }) => ({ team, id, fullName: name, note }),
})

/** A program that has a version and knows no other. */
const Alone = defineEntity({ ...keys, schema: earlier, version: 1 })

const Dog = defineEntity({
  ...keys,
  schema: z.object({ team: z.string(), id: z.string(), size: z.number() }),
  discriminator: { Kind: 'dog' },
})

const Cat1 = defineEntity({
  ...keys,
  schema: earlier,
  discriminator: { Kind: 'cat' },
  version: 1,
  next: () => Cat2,
  migrateBack: ({ team, id, fullName }: z.output<typeof later>) => ({ team, id, name: fullName }),
})

const Cat2 = defineEntity({
  ...keys,
  schema: later,
  discriminator: { Kind: 'cat' },
  version: 2,
  previous: Cat1,
  migrate: ({ team, id, name }) => ({ team, id, fullName: name }),
})

@Entity({
  name: 'notes',
  version: 1,
  next: () => Note2,
  migrateBack: ({ team, id, text }) => Object.assign(new Note1(), { team, id, text }),
})
class Note1 {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @Property() text?: string
}

@Entity({
  name: 'notes',
  version: 2,
  previous: Note1,
  migrate: ({ team, id, text }) => Object.assign(new Note2(), { team, id, text }),
})
class Note2 {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @Property() text?: string
  @Property('String') added?: string = 'new'
}

const plain1 = z.object({ team: z.string(), id: z.string(), name: z.string() })
const plain2 = z.object({
  team: z.string(),
  id: z.string(),
  fullName: z.string(),
  nick: z.string(),
})
const back = ({ team, id, fullName }: z.output<typeof plain2>) => ({ team, id, name: fullName })
const forth = ({ team, id, name }: z.output<typeof plain1>) => ({
  team,
  id,
  fullName: name,
  nick: '',
})
const signing = signingKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(1) } })
const secret = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(2) } })
const first = { ...keys, schema: plain1, version: 1, migrateBack: back }
const second = { ...keys, schema: plain2, version: 2, migrate: forth }

const Signed1 = defineEntity({ ...first, signing, next: () => Signed2 })
const Signed2 = defineEntity({ ...second, signing, previous: Signed1 })
const Sealed1 = defineEntity({
  ...first,
  columns: { name: encrypted(secret) },
  next: () => Sealed2,
})
const Sealed2 = defineEntity({
  ...second,
  columns: { fullName: encrypted(secret), nick: encrypted(secret) },
  previous: Sealed1,
})
const Long1 = defineEntity({ ...first, columns: { name: longText() }, next: () => Long2 })
const Long2 = defineEntity({ ...second, columns: { fullName: longText() }, previous: Long1 })

const exact = z.object({ team: z.string(), id: z.string(), cents: z.int32() })
const Round1 = defineEntity({
  ...keys,
  schema: z.object({ team: z.string(), id: z.string(), euros: z.int32() }),
  version: 1,
  next: () => Round2,
  migrateBack: ({ team, id, cents }: z.output<typeof exact>) => ({
    team,
    id,
    euros: Math.trunc(cents / 100),
  }),
})
const Round2 = defineEntity({
  ...keys,
  schema: exact,
  version: 2,
  previous: Round1,
  migrate: ({ team, id, euros }) => ({ team, id, cents: euros * 100 }),
})

const target = ['red', '1'] as const
type Person = z.output<typeof earlier>

async function people() {
  const fresh = freshAccount()
  const [t1, t2] = [fresh.account.table(V1), fresh.account.table(V2)]
  await t1.create()
  await t1.insert({ team: 'red', id: '1', name: 'Ann', note: 'x' })
  const rows = fresh.account.table('people')
  return {
    ...fresh,
    t1,
    t2,
    alone: fresh.account.table(Alone),
    rows,
    async stored() {
      const { properties } = await rows.get([...target])
      return Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))
    },
    /** Stores the row in the later version, with what only that version has. */
    async upgrade() {
      await t2.modify([...target], (person) => {
        person.nick = 'Annie'
      })
    },
  }
}

const mixed = expect.objectContaining({ name: 'InputError', code: 'UnknownVersion' })

/** Every way to write an object whatever is stored. */
const DOORS: Readonly<Record<string, (table: Table<Person>, old: Person) => Promise<unknown>>> = {
  "merge by '*'": (table, old) => table.merge(old, { etag: '*' }),
  "replace by '*'": (table, old) => table.replace(old, { etag: '*' }),
  insertOrMerge: (table, old) => table.insertOrMerge(old),
  insertOrReplace: (table, old) => table.insertOrReplace(old),
  'an operation': (table, old) => table.execute(Operation.merge(old, { etag: '*' })),
  'several operations': (table, old) =>
    table.execute([
      Operation.insertOrMerge(old),
      Operation.insert({ team: 'red', id: '2', name: 'Bob' }),
    ]),
  'a batch': (table, old) =>
    table.batch().insert({ team: 'red', id: '2', name: 'Bob' }).merge(old, { etag: '*' }).submit(),
  'a bulk write': async (table, old) => {
    for await (const outcome of table.bulk().merge([old], { etag: '*' })) {
      if (outcome.status !== 'done') throw outcome.error
    }
  },
  'a buffered writer': async (table, old) => {
    const writer = table.buffered()
    await writer.merge(old, { etag: '*' })
    await writer.close().catch((error: { failures: readonly { error: unknown }[] }) => {
      throw (error as { cause?: unknown }).cause ?? error
    })
  },
}

describe('a write whatever is stored, of an object whose row has another version by now', () => {
  it.each(Object.entries(DOORS))('is rejected, and changes nothing: %s', async (door, write) => {
    for (const title of ['t1', 'alone'] as const) {
      const { stored, upgrade, rows, ...tables } = await people()
      const old = await tables[title].get([...target])
      await upgrade()
      const before = await stored()
      old.name = 'Ann Park'
      const writing = write(tables[title] as Table<Person>, old)
      if (door === 'a buffered writer') await expect(writing).rejects.toThrow()
      else await expect(writing).rejects.toEqual(mixed)
      expect(await stored()).toEqual(before)
      expect(await rows.find(['red', '2'])).toBeUndefined()
    }
  })

  it.each(Object.entries(DOORS))(
    'goes through when the version is the same: %s',
    async (_, write) => {
      const { t1, stored } = await people()
      const old = await t1.get([...target])
      await t1.modify([...target], (person) => {
        person.note = 'y'
      })
      old.name = 'Ann Park'
      await write(t1 as Table<Person>, old)
      expect(await stored()).toMatchObject({ name: 'Ann Park', Version: 1 })
    },
  )

  it('is rejected when an old program wrote the row back', async () => {
    const { t2, alone, rows, upgrade, stored } = await people()
    await upgrade()
    const mine = await t2.get([...target])
    await rows.delete([...target], { etag: '*' })
    await alone.insert({ team: 'red', id: '1', name: 'Bob' })
    mine.fullName = 'Ann Park'
    await expect(t2.merge(mine, { etag: '*' })).rejects.toEqual(mixed)
    expect(await stored()).toEqual({ name: 'Bob', Version: 1 })
    // A whole entity of the later version replaces the row of the earlier one.
    await t2.replace(mine, { etag: '*' })
    expect(await stored()).toMatchObject({ fullName: 'Ann Park', Version: 2 })
  })

  it("is rejected when the caller passes the row's current ETag", async () => {
    const { t1, rows, upgrade, stored } = await people()
    const old = await t1.get([...target])
    await upgrade()
    const { etag = '' } = await rows.get([...target])
    old.name = 'Ann Park'
    const before = await stored()
    await expect(t1.merge(old, { etag })).rejects.toEqual(mixed)
    await expect(t1.replace(old, { etag })).rejects.toEqual(mixed)
    await expect(t1.replace({ ...old }, { etag })).rejects.toEqual(mixed)
    expect(await stored()).toEqual(before)
  })

  it('does not change a row that is upgraded between the check and the write', async () => {
    const { transport, connectionString } = localTableService()
    let meddle: (() => Promise<unknown>) | undefined
    const meddling: Transport = async (request, limits) => {
      const now = request.method === 'GET' ? undefined : meddle
      if (now !== undefined) meddle = undefined
      await now?.()
      return transport(request, limits)
    }
    const options = { connectionString: connectionString(), transport: meddling, retry: noRetry }
    const account = new Account(tableService(options))
    const [table, t2] = [account.table(V1), account.table(V2)]
    await table.create()
    const mine = await table.insert({ team: 'red', id: '1', name: 'Ann' })
    mine.name = 'Ann Park'
    meddle = () => upgradeTable(t2)
    await expect(table.merge(mine, { etag: '*' })).rejects.toEqual(mixed)
    expect((await t2.get([...target])).fullName).toBe('Ann')
  })
})

describe('a write whatever is stored with an idempotency key', () => {
  it('is repeated as done when the row was upgraded since', async () => {
    const { t1, t2, stored } = await people()
    const ann = () => ({ team: 'red', id: '1', name: 'Ann Park' })
    await t1.merge(ann(), { etag: '*', idempotencyKey: 'k1' })
    await t1.insertOrReplace(ann(), { idempotencyKey: 'k2' })
    await upgradeTable(t2)
    const before = await stored()
    await t1.merge(ann(), { etag: '*', idempotencyKey: 'k1' })
    await t1.insertOrReplace(ann(), { idempotencyKey: 'k2' })
    const other = t1.merge(ann(), { etag: '*', idempotencyKey: 'k3' })
    await expect(other).rejects.toEqual(mixed)
    expect(await stored()).toEqual(before)
  })
})

describe('a bulk write of objects of an old program', () => {
  it('rejects those whose rows were upgraded, and stores the others', async () => {
    const { t1, upgrade, rows } = await people()
    await upgrade()
    const given = ['1', '2', '3'].map((id) => ({ team: 'red', id, name: 'Bob' }))
    const ends = []
    for await (const { index, status } of t1.bulk({ exactWrites: true }).insertOrMerge(given)) {
      ends.push([index, status])
    }
    expect(ends.sort()).toEqual([
      [0, 'failed'],
      [1, 'done'],
      [2, 'done'],
    ])
    expect((await rows.get(['red', '3'])).get('Version')?.value).toBe(1)
  })
})

describe('a stale ETag', () => {
  it('is an ETagMismatchError, whatever version the object and the row have', async () => {
    const { t1, t2, alone, upgrade } = await people()
    const first = await t1.get([...target])
    const stale = `W/"datetime'2020-01-01T00%3A00%3A00.0000000Z'"`
    await expect(t2.merge(await t2.get([...target]), { etag: stale })).rejects.toThrow(
      ETagMismatchError,
    )
    await upgrade()
    const back = await t1.get([...target])
    for (const write of [
      () => t1.merge(first, { etag: stale }),
      () => t1.merge(back, { etag: stale }),
      () => t1.replace(back, { etag: stale }),
      () => alone.merge({ ...first, name: 'Bob' }, { etag: stale }),
      () => t1.execute(Operation.merge(back, { etag: stale })),
    ]) {
      await expect(write()).rejects.toThrow(ETagMismatchError)
    }
    await expect(t1.batch().merge(back, { etag: stale }).submit()).rejects.toMatchObject({
      status: 412,
    })
  })
})

describe('an old program on a row of the next version', () => {
  it('sends nothing when nothing changed', async () => {
    const { t1, upgrade, sent } = await people()
    await upgrade()
    sent.length = 0
    await t1.modify([...target], () => undefined)
    const read = await t1.get([...target])
    expect(await t1.merge(read)).toBe(read)
    await t1.execute(Operation.merge(read))
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('changes what it knows, and keeps what only the next version has', async () => {
    const { t1, t2, upgrade, stored } = await people()
    await upgrade()
    await t1.modify([...target], (person) => {
      person.name = 'Ann Park'
    })
    const whole = { fullName: 'Ann Park', nick: 'Annie', note: 'x', Version: 2 }
    expect(await stored()).toEqual(whole)
    const read = await t1.get([...target])
    await t1.replace(read)
    read.note = 'y'
    await t1.merge(read)
    read.name = 'Ann Lee'
    await t1.batch().merge(read).submit()
    expect(await stored()).toEqual({ ...whole, fullName: 'Ann Lee', note: 'y' })
    await t1.modify([...target], (person) => {
      delete person.note
    })
    expect(await t2.get([...target])).toEqual({
      team: 'red',
      id: '1',
      fullName: 'Ann Lee',
      nick: 'Annie',
    })
  })

  it.each(['merge', 'replace'] as const)(
    'a %s that waits for a write of its own version stores nothing of the next one',
    async (call) => {
      const { t1, t2, upgrade, stored } = await people()
      await upgrade()
      const read = await t1.get([...target])
      await t2.delete([...target], { etag: '*' })
      const first = t1.insertOrReplace(read)
      read.note = 'y'
      await Promise.all([first, t1[call](read)])
      expect(await stored()).toEqual({ name: 'Ann', note: 'y', Version: 1 })
    },
  )

  it('does not store the defaults of the next version', async () => {
    const { account } = freshAccount()
    const [old, rows] = [account.table(Note1), account.table('notes')]
    await old.create()
    await rows.insert(new DynamicEntity('red', '1', { text: 'a', Version: 2, other: 5n }))
    await old.modify([...target], (note) => {
      note.text = 'b'
    })
    const { properties } = await rows.get([...target])
    expect([...properties].map(([name, { type, value }]) => [name, type, value])).toEqual([
      ['Version', 'Int32', 2],
      ['other', 'Int64', 5n],
      ['text', 'String', 'b'],
    ])
  })

  it.each([
    ['signed', Signed1, Signed2],
    ['encrypted', Sealed1, Sealed2],
    ['cut into pieces', Long1, Long2],
  ] as const)('changes rows that are %s', async (_, first, second) => {
    const { account } = freshAccount()
    const [old, current] = [account.table(first), account.table(second)]
    await old.create()
    await current.insert({ team: 'red', id: '1', fullName: 'Ann', nick: 'N'.repeat(70) })
    for (const name of ['Ann Park', 'A'.repeat(70_000), 'B'.repeat(90_000), 'Ann Lee']) {
      const fullName = name.slice(0, first === Long1 ? undefined : 50)
      await old.modify([...target], (person) => {
        person.name = fullName
      })
      expect(await current.get([...target])).toMatchObject({ fullName, nick: 'N'.repeat(70) })
    }
    // Without pieces of the longer values.
    const { properties } = await account.table('people').get([...target])
    expect(properties.size).toBeLessThanOrEqual(4)
    const read = await old.get([...target])
    expect(read.name).toBe('Ann Lee')
    read.name = 'Ann'
    await old.replace(read)
    expect(await old.merge(read)).toBe(read)
    expect(await current.get([...target])).toMatchObject({ fullName: 'Ann', nick: 'N'.repeat(70) })
  })

  it('is refused where its change would not show, and the error names the property', async () => {
    const { account } = freshAccount()
    const [old, current] = [account.table(Round1), account.table(Round2)]
    await old.create()
    await current.insert({ team: 'red', id: '1', cents: 1050 })
    const read = await old.get([...target])
    read.euros = 20
    await expect(old.merge(read)).rejects.toMatchObject({
      code: 'LaterVersion',
      details: { property: 'euros' },
    })
    expect(await current.get([...target])).toMatchObject({ cents: 1050 })
    await current.modify([...target], (order) => {
      order.cents = 2000
    })
    await old.modify([...target], (order) => {
      order.euros = 30
    })
    expect(await current.get([...target])).toMatchObject({ cents: 3000 })
  })

  it('cannot overwrite a change of another program', async () => {
    const { t1, t2, upgrade } = await people()
    await upgrade()
    const read = await t1.get([...target])
    await t2.modify([...target], (person) => {
      person.nick = 'A'
    })
    read.name = 'Ann Park'
    await expect(t1.merge(read)).rejects.toThrow(ETagMismatchError)
  })

  it('does the same in a table of several types', async () => {
    const { account } = freshAccount()
    const [old, current] = [
      account.table('people', union(Cat1, Dog)),
      account.table('people', union(Cat2, Dog)),
    ]
    await current.create()
    await current.ofType(Cat2).insert({ team: 'red', id: '1', fullName: 'Tom', nick: 'T' })
    const cat = await old.ofType(Cat1).get({ team: 'red', id: '1' })
    cat.name = 'Tim'
    const outdated = { ...cat }
    await old.batch().insert(Dog, { team: 'red', id: '2', size: 3 }).merge(cat).submit()
    const later = await current.ofType(Cat2).get({ team: 'red', id: '1' })
    expect(later).toEqual({ team: 'red', id: '1', fullName: 'Tim', nick: 'T' })
    await expect(old.execute(Operation.insertOrMerge(Cat1, outdated))).rejects.toEqual(mixed)
    await expect(old.execute(Operation.insertOrReplace(Cat1, outdated))).rejects.toEqual(mixed)
  })

  it('leaves the table upgraded', async () => {
    const { t1, t2 } = await people()
    await upgradeTable(t2)
    await t1.modify([...target], (person) => {
      person.name = 'Ann Park'
    })
    expect(await upgradeTable(t2)).toMatchObject({ read: 1, upgraded: 0 })
  })
})
