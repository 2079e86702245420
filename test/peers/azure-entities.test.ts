import Entity, { type PropertyTypes, type Row } from '@rowkey/azure-entities'
import { perform, queryEntities } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { library, type SharedService, startSharedService } from './azure-entities-library.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

let shared: SharedService
let count = 0

beforeAll(async () => {
  shared = await startSharedService()
})
afterAll(() => shared.close())

/** Either library: both have the same API. */
type Library = typeof Entity

/** Makes the same class with both libraries, on a table of its own. */
async function both(
  options: (from: Library) => Parameters<Library['configure']>[0],
  setup: object = {},
) {
  count += 1
  const tableName = `items${count}`
  const Theirs = library
    .configure(options(library))
    .setup({ tableName, ...shared.theirs, ...setup })
  const Ours = Entity.configure(options(Entity)).setup({ tableName, ...shared.ours, ...setup })
  await Theirs.ensureTable()
  const rows = async (): Promise<readonly Row[]> => {
    const { entities } = await perform(shared.ours.service, queryEntities, { table: tableName })
    return entities.map(({ Timestamp: _timestamp, 'odata.etag': _etag, ...row }) => row)
  }
  return { Theirs, Ours, rows, tableName }
}

const slugId = 'nvItOmAyRiOvSSWCAHkobQ'
const otherSlugId = 'NgmMmc_oQZ-dC4nPzWI1Ug'
const uuid = 'F47AC10B-58CC-4372-A567-0E02B2C3D479'
const cryptoKey = Buffer.alloc(32, 'k').toString('base64')
const signingKey = 'no-way-you-can-guess-this'
const schema = { type: 'object', properties: { a: { type: 'integer', default: 4 } } }

const slugIds = (from: Library) => {
  const array = from.types.SlugIdArray.create()
  array.push(slugId)
  array.push(otherSlugId)
  return array
}

type TypeCase = readonly [
  name: string,
  type: (from: Library) => PropertyTypes[string],
  value: (from: Library) => unknown,
  next: (from: Library) => unknown,
]

const long = Buffer.alloc(150_000, 'long').toString()

/** Every type, with a value and another one. */
const plainTypes: readonly TypeCase[] = [
  ['String', ({ types }) => types.String, () => 'aé\n', () => ''],
  ['Boolean', ({ types }) => types.Boolean, () => true, () => false],
  ['Number', ({ types }) => types.Number, () => 42.5, () => -0.1],
  ['Number, Int32', ({ types }) => types.Number, () => 2 ** 31 - 1, () => 0],
  ['Number, Int64', ({ types }) => types.Number, () => 2 ** 31, () => -(2 ** 53)],
  ['PositiveInteger', ({ types }) => types.PositiveInteger, () => 0, () => 2 ** 32],
  ['Date', ({ types }) => types.Date, () => new Date(1), () => new Date(1e12)],
  ['UUID', ({ types }) => types.UUID, () => uuid, () => uuid.toLowerCase().replace('f', 'a')],
  ['SlugId', ({ types }) => types.SlugId, () => slugId, () => otherSlugId],
  ['Blob', ({ types }) => types.Blob, () => Buffer.from(long), () => Buffer.alloc(0)],
  ['Text', ({ types }) => types.Text, () => 'é', () => long],
  ['JSON', ({ types }) => types.JSON, () => ({ b: [1, null], a: 'x' }), () => null],
  ['Schema', ({ types }) => types.Schema(schema), () => ({ a: 1 }), () => ({ a: 5, b: long })],
]

const encryptedTypes: readonly TypeCase[] = [
  ['EncryptedText', ({ types }) => types.EncryptedText, () => 'secret', () => long],
  [
    'EncryptedBlob',
    ({ types }) => types.EncryptedBlob,
    () => Buffer.from('ab'),
    () => Buffer.alloc(0),
  ],
  ['EncryptedJSON', ({ types }) => types.EncryptedJSON, () => ({ a: [1] }), () => 'text'],
  [
    'EncryptedSchema',
    ({ types }) => types.EncryptedSchema(schema),
    () => ({ a: 1 }),
    () => ({ a: 5 }),
  ],
]

const slugIdArray: TypeCase = [
  'SlugIdArray',
  ({ types }) => types.SlugIdArray,
  slugIds,
  ({ types }) => types.SlugIdArray.create(),
]

const classOf = (type: TypeCase[1], signEntities: boolean) => (from: Library) => ({
  version: 1,
  partitionKey: from.keys.StringKey('id'),
  rowKey: from.keys.ConstantKey('row'),
  signEntities,
  properties: { id: from.types.String, data: type(from) },
})

/** A value that can be compared: two libraries have two classes of SlugIdArray. */
const plain = (value: unknown): unknown => {
  const array = Object(value)
  return typeof array.toArray === 'function' ? array.toArray() : value
}

const dataOf = (entity: object): unknown => plain((entity as { readonly data: unknown }).data)

describe.each([
  ...[...plainTypes, slugIdArray].flatMap((one) => [
    { one, setup: {}, title: one[0] },
    { one, setup: { signingKey }, title: `${one[0]}, signed` },
  ]),
  ...encryptedTypes.flatMap((one) => [
    { one, setup: { cryptoKey }, title: one[0] },
    { one, setup: { cryptoKey, signingKey }, title: `${one[0]}, signed` },
  ]),
])('$title', ({ one: [, type, value, next], setup }) => {
  const options = classOf(type, 'signingKey' in setup)
  const isEncrypted = 'cryptoKey' in setup

  it('R-125, R-126, R-128: of either library is read by the other', async () => {
    const { Theirs, Ours } = await both(options, setup)
    await Theirs.create({ id: 'a', data: value(library) })
    await Ours.create({ id: 'b', data: value(Entity) })
    const [ourA, ourB] = [await Ours.load({ id: 'a' }), await Ours.load({ id: 'b' })]
    const [theirA, theirB] = [await Theirs.load({ id: 'a' }), await Theirs.load({ id: 'b' })]
    expect(dataOf(ourA)).toEqual(dataOf(theirA))
    expect([dataOf(ourA), dataOf(theirB)]).toEqual([dataOf(ourB), dataOf(ourB)])
  })

  it.skipIf(isEncrypted)('R-125: of both libraries has the same row', async () => {
    const { Theirs, Ours, rows } = await both(options, setup)
    await Theirs.create({ id: 'a', data: value(library) })
    const theirs = await rows()
    await Ours.create({ id: 'a', data: value(Entity) }, true)
    expect(await rows()).toEqual(theirs)
  })

  it('R-136: of either library is modified by the other', async () => {
    const { Theirs, Ours } = await both(options, setup)
    await Theirs.create({ id: 'a', data: value(library) })
    const ours = await Ours.load({ id: 'a' })
    await ours.modify((draft) => {
      Object.assign(draft, { data: next(Entity) })
    })
    const theirs = await Theirs.load({ id: 'a' })
    expect(dataOf(theirs)).toEqual(dataOf(ours))
    await theirs.modify((draft) => {
      Object.assign(draft, { data: value(library) })
    })
    expect([await ours.reload(), await theirs.reload()]).toEqual([true, false])
    expect(dataOf(ours)).toEqual(dataOf(theirs))
    const before = ours._etag
    await ours.modify((draft) => {
      Object.assign(draft, { data: value(Entity) })
    })
    expect(ours._etag).toBe(before)
  })
})

describe('on Azurite', () => {
  let azurite: Service

  beforeAll(async () => {
    azurite = await startAzurite()
  })
  afterAll(() => azurite.close())

  it.each([...plainTypes, slugIdArray, ...encryptedTypes])(
    'R-125, R-126: %s is stored, modified and read',
    async (_name, type, value, next) => {
      count += 1
      const isEncrypted = encryptedTypes.some(([, encrypted]) => encrypted === type)
      const Items = Entity.configure(classOf(type, true)(Entity)).setup({
        tableName: `items${count}`,
        credentials: { connectionString: azurite.connectionString },
        signingKey,
        ...(isEncrypted && { cryptoKey }),
      })
      await Items.ensureTable()
      await Items.ensureTable()
      const item = await Items.create({ id: 'a/b', data: value(Entity) })
      await (await Items.load({ id: 'a/b' })).modify((draft) => {
        Object.assign(draft, { data: next(Entity) })
      })
      expect(await item.reload()).toBe(true)
      const { entries, continuation } = await Items.query({ id: 'a/b' })
      expect(entries.map(dataOf)).toEqual([plain(next(Entity))])
      expect([dataOf(item), continuation]).toEqual([plain(next(Entity)), null])
      await Items.removeTable()
    },
  )
})

describe('keys', () => {
  const text = "!~%/'()*-_. é"
  const all: readonly [string, (from: Library) => Parameters<Library['configure']>[0]][] = [
    ['StringKey', (from) => keyed(from, from.keys.StringKey('text'), from.keys.StringKey('date'))],
    ['ConstantKey', (from) => keyed(from, from.keys.StringKey('n'), from.keys.ConstantKey(text))],
    [
      'CompositeKey',
      (from) =>
        keyed(
          from,
          from.keys.CompositeKey('slug', 'bool'),
          from.keys.CompositeKey('text', 'empty', 'n'),
        ),
    ],
    [
      'HashKey',
      (from) =>
        keyed(
          from,
          from.keys.HashKey('json', 'blob', 'long'),
          from.keys.HashKey('uuid', 'slugs', 'date'),
        ),
    ],
    [
      'AscendingIntegerKey and DescendingIntegerKey',
      (from) =>
        keyed(from, from.keys.AscendingIntegerKey('n'), from.keys.DescendingIntegerKey('n')),
    ],
  ]
  const keyed = (from: Library, partitionKey: object, rowKey: object) =>
    ({
      version: 1,
      partitionKey,
      rowKey,
      properties: {
        text: from.types.String,
        empty: from.types.String,
        n: from.types.PositiveInteger,
        bool: from.types.Boolean,
        date: from.types.Date,
        uuid: from.types.UUID,
        slug: from.types.SlugId,
        json: from.types.JSON,
        blob: from.types.Blob,
        long: from.types.Text,
        slugs: from.types.SlugIdArray,
      },
    }) as Parameters<Library['configure']>[0]
  const properties = (from: Library) => ({
    text,
    empty: '',
    n: 4_294_967_295,
    bool: true,
    date: new Date(5),
    uuid,
    slug: slugId,
    json: { b: { 10: 1, 9: 2 }, a: [{ y: 1, x: null }] },
    blob: Buffer.from([0, 255]),
    long: 'é',
    slugs: slugIds(from),
  })

  it.each(all)('R-124: %s is the same in both libraries', async (_kind, options) => {
    const { Theirs, Ours, rows } = await both(options)
    const theirs = await Theirs.create(properties(library))
    const ours = await Ours.load(properties(Entity))
    expect([ours._partitionKey, ours._rowKey]).toEqual([theirs._partitionKey, theirs._rowKey])
    expect(await Ours.remove(properties(Entity))).toBe(true)
    await Ours.create(properties(Entity))
    expect(await Theirs.remove(properties(library))).toBe(true)
    expect(await rows()).toEqual([])
  })
})

describe('versions', () => {
  const first = (from: Library) => ({
    version: 1,
    signEntities: true,
    partitionKey: from.keys.StringKey('key'),
    rowKey: from.keys.ConstantKey('kv-pair'),
    properties: { key: from.types.String, value: from.types.EncryptedJSON },
  })
  const second = (from: Library) => ({
    version: 2,
    signEntities: true,
    properties: { key: from.types.String, date: from.types.Date },
    migrate: (item: Record<string, unknown>) => ({
      key: item.key as string,
      date: new Date((item.value as { StringDate: string }).StringDate),
    }),
  })
  const value = { StringDate: '2015-09-01T03:47:24.883Z' }

  it('R-129: of either library are migrated by the other', async () => {
    const setup = { cryptoKey, signingKey }
    const { Theirs, Ours, tableName, rows } = await both(first, setup)
    const Theirs2 = library
      .configure(first(library))
      .configure(second(library))
      .setup({ tableName, ...shared.theirs, ...setup })
    const Ours2 = Entity.configure(first(Entity))
      .configure(second(Entity))
      .setup({ tableName, ...shared.ours, ...setup })
    await Theirs.create({ key: 'a', value })
    await Ours.create({ key: 'b', value })
    const ours = await Ours2.load({ key: 'a' })
    const theirs = await Theirs2.load({ key: 'b' })
    expect(ours.date).toEqual(theirs.date)
    await ours.modify(() => {})
    await theirs.modify(() => {})
    const [a, b] = await rows()
    expect([a?.Version, Object.keys(a ?? {})]).toEqual([2, Object.keys(b ?? {})])
    expect((await Theirs2.load({ key: 'a' })).date).toEqual(ours.date)
    expect((await Ours2.load({ key: 'b' })).date).toEqual(ours.date)
  })
})

describe('calls', () => {
  const item = (from: Library) => ({
    version: 1,
    partitionKey: from.keys.StringKey('id'),
    rowKey: from.keys.StringKey('name'),
    properties: {
      id: from.types.String,
      name: from.types.String,
      count: from.types.Number,
      time: from.types.Date,
      active: from.types.Boolean,
      blob: from.types.Blob,
    },
  })
  const row = (name: string, more: object = {}) => ({
    id: 'a/b',
    name,
    count: 1,
    time: new Date(5),
    active: true,
    blob: Buffer.alloc(0),
    ...more,
  })
  const setup = async () => both(item)
  type Class = Awaited<ReturnType<typeof setup>>['Ours']

  /** What a call gives: its value, or what programs read of its error. */
  async function outcome(call: () => Promise<unknown>): Promise<unknown> {
    try {
      return await call()
    } catch (error) {
      const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number }
      return statusCode === undefined && code !== 'PropertyTooLarge'
        ? 'rejected'
        : { code, statusCode }
    }
  }

  const namesOf = (page: unknown) =>
    (page as { readonly entries: readonly { readonly name: string }[] }).entries.map(
      ({ name }) => name,
    )

  const calls: readonly [string, (Items: Class, from: Library) => Promise<unknown>][] = [
    ['create twice', async (Items) => [await Items.create(row('a')), await Items.create(row('a'))]],
    [
      'create and overwrite',
      async (Items) => {
        await Items.create(row('a'))
        return (await Items.create(row('a', { count: 2 }), true))._properties
      },
    ],
    ['create without a property', (Items) => Items.create({ id: 'a', name: 'b' } as never)],
    [
      'create with another property',
      async (Items) => Object.keys((await Items.create(row('a', { other: 1 })))._properties),
    ],
    ['create too large', (Items) => Items.create(row('a', { blob: Buffer.alloc(262_145) }))],
    ['load a missing row', (Items) => Items.load(row('a'))],
    ['load a missing row or null', (Items) => Items.load(row('a'), true)],
    ['load without a key', (Items) => Items.load({ id: 'a' })],
    [
      'remove',
      async (Items) => {
        await Items.create(row('a'))
        return [await Items.remove(row('a')), await Items.remove(row('a'), true)]
      },
    ],
    ['remove a missing row', (Items) => Items.remove(row('a'))],
    ['remove an entity', async (Items) => (await Items.create(row('a'))).remove()],
    [
      'remove an entity that changed',
      async (Items) => {
        const entity = await Items.create(row('a'))
        await Items.create(row('a'), true)
        return entity.remove()
      },
    ],
    [
      'remove an entity, ignoring changes',
      async (Items) => {
        const entity = await Items.create(row('a'))
        await Items.create(row('a'), true)
        return [await entity.remove(true), await entity.remove(false, true)]
      },
    ],
    [
      'remove a removed entity',
      async (Items) => {
        const entity = await Items.create(row('a'))
        await entity.remove()
        return entity.remove()
      },
    ],
    [
      'modify a removed entity',
      async (Items) => {
        const entity = await Items.create(row('a'))
        await Items.remove(row('a'))
        return entity.modify((draft) => {
          draft.count = 5
        })
      },
    ],
    [
      'modify a key',
      async (Items) => {
        const entity = await Items.create(row('a'))
        return entity.modify((draft) => {
          draft.name = 'b'
        })
      },
    ],
    [
      'modify with a wrong value',
      async (Items) => {
        const entity = await Items.create(row('a'))
        return entity.modify((draft) => {
          Object.assign(draft, { count: 'five' })
        })
      },
    ],
    [
      'modify ten times in vain',
      async (Items) => {
        const entity = await Items.create(row('a'))
        let attempts = 0
        const failure = await entity
          .modify(async (draft) => {
            attempts += 1
            draft.count = 100
            await Items.create(row('a', { count: attempts }), true)
          })
          .then(
            () => undefined,
            (error) => error,
          )
        const { code, table, modifiedEntityAttempts } = failure
        return [attempts, code, /^items/.test(table), modifiedEntityAttempts.length]
      },
    ],
    [
      'reload',
      async (Items) => {
        const entity = await Items.create(row('a'))
        const unchanged = await entity.reload()
        await Items.create(row('a', { count: 9 }), true)
        return [unchanged, await entity.reload(), entity.count]
      },
    ],
    ['scan an empty table', (Items) => Items.scan()],
    [
      'scan in pages',
      async (Items) => {
        for (const name of ['a', 'b', 'c']) await Items.create(row(name))
        const one = await Items.scan({}, { limit: 2 })
        const two = await Items.scan({}, { limit: 2, continuation: one.continuation })
        return [namesOf(one), one.continuation === null, namesOf(two), two.continuation]
      },
    ],
    [
      'scan with conditions',
      async (Items, from) => {
        for (const [index, name] of ['a', 'b', 'c'].entries()) {
          await Items.create(row(name, { count: index, active: index > 0, time: new Date(index) }))
        }
        const conditions = [
          { count: 1 },
          { count: from.op.notEqual(1) },
          { count: from.op.lessThan(1) },
          { count: from.op.lessThanOrEqual(1) },
          { count: from.op.greaterThan(1) },
          { count: from.op.greaterThanOrEqual(1), active: true },
          { active: false },
          { time: from.op.gt(new Date(0)) },
          { time: new Date(2) },
        ]
        return Promise.all(conditions.map(async (one) => namesOf(await Items.scan(one as object))))
      },
    ],
    [
      'scan with a handler',
      async (Items) => {
        for (const name of ['a', 'b', 'c']) await Items.create(row(name))
        const seen: string[] = []
        const result = await Items.scan(
          {},
          { limit: 2, handler: (item) => seen.push(String(item.name)) },
        )
        return [result, seen.sort()]
      },
    ],
    ['query without a partition', (Items) => Items.query({ name: 'a' })],
    [
      'query a row',
      async (Items) => {
        await Items.create(row('a'))
        await Items.create(row('b'))
        return namesOf(await Items.query({ id: 'a/b', name: 'b' }, { matchRow: 'exact' }))
      },
    ],
    ['query without a row', (Items) => Items.query({ id: 'a/b' }, { matchRow: 'exact' })],
    ['scan an unknown property', (Items) => Items.scan({ other: 1 } as object)],
    ['scan bytes', (Items) => Items.scan({ blob: Buffer.alloc(0) })],
    ['scan with a wrong continuation', (Items) => Items.scan({}, { continuation: 'x' })],
    [
      'ensure and remove the table',
      async (Items) => [await Items.ensureTable(), await Items.removeTable()],
    ],
    [
      'remove a missing table',
      async (Items) => {
        await Items.removeTable()
        return Items.removeTable()
      },
    ],
  ]

  it.each(calls)('R-135…R-145: %s', async (_what, call) => {
    const [their, our] = [await setup(), await setup()]
    const theirs = await outcome(() => call(their.Theirs, library))
    const ours = await outcome(() => call(our.Ours, Entity))
    expect(ours).toEqual(theirs)
  })

  it('R-144: a continuation of either library continues the scan of the other', async () => {
    const { Theirs, Ours } = await setup()
    for (const name of ['a', 'b~/', 'c']) await Ours.create(row(name))
    const ours = await Ours.scan({}, { limit: 1 })
    const theirs = await Theirs.scan({}, { limit: 1 })
    expect(ours.continuation).toBe(theirs.continuation)
    expect(namesOf(await Theirs.scan({}, { continuation: ours.continuation }))).toEqual([
      'b~/',
      'c',
    ])
    expect(namesOf(await Ours.scan({}, { continuation: theirs.continuation }))).toEqual([
      'b~/',
      'c',
    ])
  })
})
