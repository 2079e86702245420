import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import Entity, { type PropertyTypes } from '@rowkey/azure-entities'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { library, type SharedService, startSharedService } from './azure-entities-library.ts'

/** One suite, in the style of that library's own, which both libraries pass, on a service and in memory. */
type Library = typeof Entity

interface Place {
  readonly from: Library
  /** The options of `setup` for a table. */
  setup(): object
  readonly isService: boolean
}

let shared: SharedService
beforeAll(async () => {
  shared = await startSharedService()
})
afterAll(() => shared.close())

const places: readonly (readonly [string, Place])[] = [
  ['azure-entities on a service', { from: library, setup: () => shared.theirs, isService: true }],
  [
    'azure-entities in memory',
    { from: library, setup: () => ({ credentials: 'inMemory' }), isService: false },
  ],
  [
    '@rowkey/azure-entities on a service',
    { from: Entity, setup: () => shared.ours, isService: true },
  ],
  [
    '@rowkey/azure-entities with the options of azure-entities',
    { from: Entity, setup: () => shared.theirs, isService: true },
  ],
  [
    '@rowkey/azure-entities in memory',
    { from: Entity, setup: () => ({ credentials: 'inMemory' }), isService: false },
  ],
]

const slugId = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
const cryptoKey = randomBytes(32).toString('base64')
const signingKey = 'a secret of the tests'
const schema = {
  type: 'object',
  properties: { text: { type: 'string' }, number: { type: 'integer' } },
  additionalProperties: false,
  required: ['text', 'number'],
}

const refusal = (code: string, statusCode: number) => expect.objectContaining({ code, statusCode })
const missing = refusal('ResourceNotFound', 404)

type TypeCase = readonly [
  name: string,
  type: (from: Library) => PropertyTypes[string],
  one: unknown,
  two: unknown,
  encrypted?: boolean,
]

const allTypes: readonly TypeCase[] = [
  ['String', ({ types }) => types.String, 'Hello World', ''],
  ['Boolean', ({ types }) => types.Boolean, false, true],
  ['Number (float)', ({ types }) => types.Number, 42.3, 56.7],
  ['Number (large)', ({ types }) => types.Number, 12_147_483_648, 13_147_483_648],
  ['Number (int)', ({ types }) => types.Number, 45, 1256],
  ['PositiveInteger', ({ types }) => types.PositiveInteger, 455, 125_236],
  ['Date', ({ types }) => types.Date, new Date(1e12), new Date('2015-09-01T03:47:24.883Z')],
  ['UUID', ({ types }) => types.UUID, randomUUID(), '37175f00-505c-11e5-ad72-69c56eeb1d01'],
  ['SlugId', ({ types }) => types.SlugId, slugId(), slugId()],
  ['JSON', ({ types }) => types.JSON, { a: { b: 42 }, c: [1, 'x'] }, { a: { b: 51 }, c: [] }],
  [
    'Schema',
    ({ types }) => types.Schema(schema),
    { text: 'a', number: 1 },
    { text: 'b', number: 2 },
  ],
  ['Blob', ({ types }) => types.Blob, randomBytes(10_000), randomBytes(100_000)],
  ['Text', ({ types }) => types.Text, 'a\né', randomBytes(100_000).toString('base64')],
  ['EncryptedJSON', ({ types }) => types.EncryptedJSON, { a: [1] }, { a: [1, 2] }, true],
  [
    'EncryptedSchema',
    ({ types }) => types.EncryptedSchema(schema),
    { text: 'a', number: 1 },
    { text: 'b', number: 2 },
    true,
  ],
  ['EncryptedText', ({ types }) => types.EncryptedText, 'a\né', 'x'.repeat(100_000), true],
  ['EncryptedBlob', ({ types }) => types.EncryptedBlob, randomBytes(9), randomBytes(90_000), true],
]

const typeCases = allTypes.map(([name, type, one, two, encrypted = false]) => ({
  name,
  type,
  one,
  two,
  encrypted,
}))

const dataOf = (item: object): unknown => (item as { readonly data: unknown }).data
const setData = (data: unknown) => (draft: object) => Object.assign(draft, { data })

const numbered = places.map(([title, one], place) => [title, { place, ...one }] as const)

describe.each(numbered)('%s', (_title, { place, from, setup, isService }) => {
  const { keys, types, op } = from
  let count = 0
  const tableName = () => {
    count += 1
    return `suite${place}table${count}`
  }

  const Item = from.configure({
    version: 1,
    partitionKey: keys.StringKey('id'),
    rowKey: keys.StringKey('name'),
    properties: { id: types.String, name: types.String, count: types.Number, time: types.Date },
  })
  const items = async () => {
    const Items = Item.setup({ tableName: tableName(), ...setup() })
    await Items.ensureTable()
    return Items
  }
  const row = (name = 'my item', more: object = {}) => ({
    id: 'one',
    name,
    count: 1,
    time: new Date(0),
    ...more,
  })

  it('R-135, R-138, R-139: creates, loads, overwrites and reloads', async () => {
    const Items = await items()
    const item = await Items.create(row())
    await expect(Items.create(row())).rejects.toEqual(refusal('EntityAlreadyExists', 409))
    await Items.create(row('my item', { count: 2 }), true)
    expect((await Items.load({ id: 'one', name: 'my item' })).count).toBe(2)
    expect([item.count, await item.reload(), item.count, await item.reload()]).toEqual([
      1,
      true,
      2,
      false,
    ])
    await expect(Items.load({ id: 'two', name: 'x' })).rejects.toEqual(missing)
    expect(await Items.load({ id: 'two', name: 'x' }, true)).toBeNull()
  })

  it('R-136: modifies by this and by the argument, and returns the same entity', async () => {
    const Items = await items()
    const item = await Items.create(row())
    const same = await item.modify(function () {
      this.count += 1
    })
    await item.modify(async (draft) => {
      draft.count += 1
    })
    expect([same === item, item instanceof Items, item.count]).toEqual([true, true, 3])
    const own = new Error('thrown by the modifier')
    const failing = async () =>
      item.modify(() => {
        throw own
      })
    await expect(failing).rejects.toBe(own)
    await Items.remove(row())
    const late = item.modify((draft) => {
      draft.count += 1
    })
    await expect(late).rejects.toEqual(missing)
  })

  it('R-136: counts each of five concurrent changes once', async () => {
    const Items = await items()
    await Items.create(row())
    const loaded = await Promise.all(Array.from({ length: 5 }, () => Items.load(row())))
    await Promise.all(
      loaded.map((item, index) =>
        item.modify(async (draft) => {
          draft.count += 1
          await pause(index * 7)
        }),
      ),
    )
    expect((await Items.load(row())).count).toBe(6)
  })

  it('R-137: removes rows by class and by entity', async () => {
    const Items = await items()
    const item = await Items.create(row())
    const other = await Items.load(row())
    await other.modify((draft) => {
      draft.count += 1
    })
    await expect(item.remove()).rejects.toEqual(refusal('UpdateConditionNotSatisfied', 412))
    await item.remove(true)
    await item.remove(false, true)
    await Items.create(row())
    expect([await Items.remove(row()), await Items.remove(row(), true)]).toEqual([true, false])
    await expect(Items.remove(row())).rejects.toEqual(missing)
  })

  it('R-140…R-145: queries with conditions, limits, continuations and handlers', async () => {
    const Items = await items()
    const times = [new Date(0), new Date(1), new Date(1e12)]
    for (const [index, time] of times.entries()) {
      await Items.create(row(`item${index + 1}`, { count: index + 1, time }))
    }
    const namesOf = async (conditions: object) => {
      const { entries } = await Items.query({ id: 'one', ...conditions })
      return entries.map(({ name }) => name)
    }
    expect(await namesOf({ id: op.equal('one') })).toHaveLength(3)
    expect(await namesOf({ time: new Date(1) })).toEqual(['item2'])
    expect(await namesOf({ time: op.lessThan(new Date(100)) })).toEqual(['item1', 'item2'])
    expect(await namesOf({ time: op.greaterThan(new Date(100)) })).toEqual(['item3'])
    expect(await namesOf({ count: op.lessThan(3) })).toEqual(['item1', 'item2'])
    expect(await namesOf({ count: op.notEqual(2) })).toEqual(['item1', 'item3'])

    const first = await Items.query({ id: 'one' }, { limit: 2 })
    expect(first.continuation).toMatch(from.continuationTokenPattern)
    const { continuation } = first
    const second = await Items.query({ id: 'one' }, { limit: 2, continuation })
    expect([first.entries.length, second.entries.length, second.continuation]).toEqual([2, 1, null])

    let sum = 0
    const handler = async (item: { readonly count: number }) => {
      await pause(5)
      sum += item.count
    }
    expect(await Items.query({ id: 'one' }, { handler })).toBeUndefined()
    await Items.scan(null, { limit: 2, handler })
    expect(sum).toBe(12)

    const exact = await Items.query({ id: 'one', name: 'item2' }, { matchRow: 'exact' })
    expect(exact.entries.map((item) => item.count)).toEqual([2])
    await expect(async () => Items.query({ id: 'one' }, { matchRow: 'exact' })).rejects.toThrow()
    await expect(async () => Items.query({ name: 'item1' })).rejects.toThrow()
  })

  it('R-124: builds every kind of key, and does not let modify change it', async () => {
    const all = [
      [keys.StringKey('id'), keys.ConstantKey('my-constant')],
      [keys.CompositeKey('id', 'number'), keys.CompositeKey('text', 'empty')],
      [keys.HashKey('id', 'data'), keys.HashKey('text', 'empty')],
      [keys.ConstantKey(''), keys.AscendingIntegerKey('number')],
      [keys.ConstantKey('x'), keys.DescendingIntegerKey('number')],
    ] as const
    const properties = {
      id: types.SlugId,
      number: types.PositiveInteger,
      text: types.String,
      empty: types.String,
      data: types.JSON,
    }
    const value = { id: slugId(), number: 42, text: 'a key/~!', empty: '', data: { b: 1, a: [2] } }
    for (const [partitionKey, rowKey] of all) {
      const Keyed = from
        .configure({ version: 1, partitionKey, rowKey, properties })
        .setup({ tableName: tableName(), ...setup() })
      await Keyed.ensureTable()
      const item = await Keyed.create(value)
      const found = await Keyed.load({ ...value, data: { a: [2], b: 1 } })
      expect(found._properties).toEqual(item._properties)
      expect(item.__rowKey.exact(item._properties)).toBe(item._rowKey)
      const change = item.modify((draft) => {
        Object.assign(draft, { id: slugId(), text: 'never', number: 7 })
      })
      await expect(change).rejects.toThrow()
    }
  })

  it.each(typeCases)(
    'R-125, R-126, R-128: stores $name, plain, signed and beside encrypted',
    async ({ type, one, two, encrypted }) => {
      for (const secret of encrypted ? [true] : [false, true]) {
        for (const signed of [false, true]) {
          const Typed = from.configure({
            version: 1,
            partitionKey: keys.StringKey('id'),
            rowKey: keys.ConstantKey('typed'),
            signEntities: signed,
            properties: {
              id: types.String,
              data: type(from),
              ...(secret && { blob: types.EncryptedBlob }),
            },
          })
          const options = {
            tableName: tableName(),
            ...setup(),
            ...(secret && { cryptoKey }),
            ...(signed && { signingKey }),
          }
          const Items = Typed.setup(options)
          await Items.ensureTable()
          const value = { id: 'a', data: one, ...(secret && { blob: Buffer.from([1, 2]) }) }
          const itemA = await Items.create(value as never)
          const itemB = await Items.load({ id: 'a' })
          expect([dataOf(itemB), itemB._etag]).toEqual([one, itemA._etag])

          await itemB.modify(setData(two))
          await itemA.reload()
          expect([dataOf(itemA), itemA._etag]).toEqual([two, itemB._etag])
          await itemA.modify(setData(two))
          expect(itemA._etag).toBe(itemB._etag)

          let edits = 0
          const edit = (draft: object) => {
            edits += 1
            setData(one)(draft)
          }
          await Promise.all([itemA.modify(edit), itemB.modify(edit)])
          expect([edits, dataOf(itemA), dataOf(itemB)]).toEqual([3, one, one])
          expect(itemA._etag).toBe(itemB._etag)

          if (!signed) continue
          const Forged = Typed.setup({ ...options, signingKey: 'another secret' })
          await expect(Forged.load({ id: 'a' })).rejects.toThrow(/signature/i)
        }
      }
    },
  )

  it.each([64, 128, 256])('R-127: stores %d KiB of bytes and of text', async (kib) => {
    const Large = from
      .configure({
        version: 1,
        partitionKey: keys.StringKey('id'),
        rowKey: keys.ConstantKey('large'),
        properties: { id: types.String, blob: types.Blob, text: types.Text },
      })
      .setup({ tableName: tableName(), ...setup() })
    await Large.ensureTable()
    const value = { id: 'a', blob: randomBytes(kib * 1024), text: 'x'.repeat(kib * 1024) }
    await Large.create(value)
    expect((await Large.load(value))._properties).toEqual(value)
    const tooLarge = { ...value, id: 'b', blob: Buffer.alloc(262_145) }
    await expect(async () => Large.create(tooLarge)).rejects.toEqual(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })

  it.each([
    { text: 'a', number: 42.4 },
    { text: 5, number: 42 },
    { number: 42 },
    { text: 'a', number: 42, wrong: false },
    { text: 'a', number: '42' },
  ])('R-125: rejects %o, which does not match the schema', async (data) => {
    const Checked = from
      .configure({
        version: 1,
        partitionKey: keys.StringKey('id'),
        rowKey: keys.ConstantKey('x'),
        properties: { id: types.String, data: types.Schema(schema) },
      })
      .setup({ tableName: tableName(), ...setup() })
    await Checked.ensureTable()
    await expect(async () => Checked.create({ id: 'a', data })).rejects.toThrow(
      /schema validation failed/,
    )
  })

  it('R-128, R-129: migrates signed and encrypted versions and keeps asking for their keys', async () => {
    const key = { partitionKey: keys.StringKey('id'), rowKey: keys.ConstantKey('row') }
    const First = from.configure({
      ...key,
      version: 1,
      signEntities: true,
      properties: { id: types.String, count: types.EncryptedJSON },
    })
    const Second = First.configure({
      version: 2,
      signEntities: false,
      properties: { id: types.String, count: types.Number, reason: types.String },
      migrate: ({ id, count: counted }) => ({
        id: String(id),
        count: Number(counted),
        reason: 'none',
      }),
    })
    const Third = Second.configure({
      version: 3,
      signEntities: true,
      properties: { id: types.String, count: types.EncryptedJSON },
      migrate: ({ id, count: counted }) => ({ id: String(id), count: counted }),
    })
    const place = { tableName: tableName(), ...setup() }
    const secrets = { ...place, cryptoKey, signingKey }
    const [Items1, Items2, Items3] = [
      First.setup(secrets),
      Second.setup(secrets),
      Third.setup(secrets),
    ]
    await Items1.ensureTable()
    await Items1.create({ id: 'a', count: 1 })
    const second = await Items2.load({ id: 'a' })
    expect([second.count, second.reason]).toEqual([1, 'none'])
    await second.modify((draft) => {
      draft.count += 1
      draft.reason = 'changed'
    })
    expect((await Items2.load({ id: 'a' })).reason).toBe('changed')
    const third = await Items3.load({ id: 'a' })
    await third.modify((draft) => {
      draft.count = Number(draft.count) + 1
    })
    expect((await Items3.load({ id: 'a' })).count).toBe(3)
    expect(() => Second.setup({ ...place, cryptoKey })).toThrow()
    expect(() => Second.setup({ ...place, signingKey })).toThrow()
    const forged = Third.setup({ ...secrets, cryptoKey: randomBytes(32).toString('base64') })
    await expect(forged.load({ id: 'a' })).rejects.toThrow()
    const vague = { version: 4, properties: { id: types.String }, migrate: () => ({ id: 'a' }) }
    expect(() => Third.configure(vague)).toThrow()
  })

  it('R-122, R-130, R-133: gives context and inherited methods to entities', async () => {
    const Configured = from.configure({
      version: 1,
      partitionKey: keys.StringKey('id'),
      rowKey: keys.ConstantKey('x'),
      properties: { id: types.String },
      context: ['config', 'maxCount'],
    })
    Object.assign(Configured, { ask: () => 'asked' })
    Object.assign(Configured.prototype, {
      describe(this: { config: string; id: string }) {
        return `${this.config} ${this.id}`
      },
    })
    const place = { tableName: tableName(), ...setup() }
    const Items = Configured.setup({ ...place, context: { config: 'mine', maxCount: 10 } })
    await Items.ensureTable()
    const item = await Items.create({ id: 'a' })
    expect(item).toMatchObject({ config: 'mine', maxCount: 10, id: 'a' })
    expect((item as unknown as { describe(): string }).describe()).toBe('mine a')
    expect((Items as unknown as { ask(): string }).ask()).toBe('asked')
    expect(item.inspect(0)).toBe("{ id: 'a' }")
    expect(() => Configured.setup({ ...place, context: { config: 'mine' } })).toThrow()
    const undeclared = { config: 'mine', maxCount: 1, other: 2 }
    expect(() => Configured.setup({ ...place, context: undeclared })).toThrow()
    expect(() => Items.setup(place)).toThrow()
  })

  it('R-134: ensures a table twice and removes it once', async () => {
    const Items = await items()
    await Items.ensureTable()
    await Items.removeTable()
    await expect(Items.removeTable()).rejects.toEqual(missing)
  })

  it.runIf(isService)(
    'R-131: counts calls in a monitor and reports them to Entity.debug',
    async () => {
      const counts: string[] = []
      const reports: string[] = []
      const { debug } = from
      from.debug = (text) => reports.push(text)
      try {
        const monitor = { count: (name: string) => counts.push(name), measure() {} }
        const options = { tableName: tableName(), ...setup(), monitor, operationReportChance: 1 }
        const Items = Item.setup(options)
        await Items.ensureTable()
        await Items.ensureTable()
        await Items.create(row())
        await Items.load(row())
        expect(counts).toEqual([
          'createTable.success',
          'createTable.error',
          'insertEntity.success',
          'getEntity.success',
        ])
        expect(reports.filter((text) => text.startsWith('TIMING: '))).toHaveLength(4)
        expect(() => Item.setup({ ...options, operationReportChance: 1.4 })).toThrow(
          /operationReportChance/,
        )
      } finally {
        from.debug = debug
      }
    },
  )
})

it('has every name that azure-entities exports', () => {
  const missingIn = (ours: object, theirs: object) =>
    Object.keys(theirs).filter((name) => !(name in ours))
  expect(missingIn(Entity, library)).toEqual([])
  expect(missingIn(Entity.types, library.types)).toEqual([])
  expect(missingIn(Entity.keys, library.keys)).toEqual([])
  expect(missingIn(Entity.op, library.op)).toEqual([])
  const methods = (of: Library) => Object.keys(of.prototype).filter((name) => !name.startsWith('_'))
  expect(methods(library).filter((name) => !(name in Entity.prototype))).toEqual([])
})
