import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { embeddedTables, withoutSystem } from '../tables.ts'

const { keys, types } = Entity

const KeyValue1 = Entity.configure({
  version: 1,
  partitionKey: Entity.StringKey('key'),
  rowKey: Entity.ConstantKey('kv-pair'),
  properties: { key: types.String, value: types.JSON },
})

const KeyValue2 = KeyValue1.configure({
  version: 2,
  partitionKey: Entity.StringKey('key'),
  rowKey: Entity.ConstantKey('kv-pair'),
  properties: { key: types.String, date: types.Date },
  migrate: (item) => ({
    key: String(item.key),
    date: new Date((item.value as { StringDate: string }).StringDate),
  }),
})

async function keyValues() {
  const tables = embeddedTables()
  const setup = { tableName: 'values', service: tables.service }
  const First = KeyValue1.setup(setup)
  await First.ensureTable()
  return { tables, First, Second: KeyValue2.setup(setup) }
}

const old = { key: 'a', value: { StringDate: '2015-09-01T03:47:24.883Z' } }

describe('versions', () => {
  it('R-176: migrate the key and value class of the documents when it is read', async () => {
    const { First, Second, tables } = await keyValues()
    await First.create(old)
    const item = await Second.load({ key: 'a' })
    expect(item.date.toJSON()).toBe('2015-09-01T03:47:24.883Z')
    expect((await tables.rows('values'))[0]?.Version).toBe(1)
  })

  it('R-129: are stored by modify, which replaces the row once', async () => {
    const { First, Second, tables } = await keyValues()
    await First.create(old)
    const item = await Second.load({ key: 'a' })
    await item.modify(() => {})
    const date = { date: '2015-09-01T03:47:24.883Z', 'date@odata.type': 'Edm.DateTime' }
    const row = { PartitionKey: 'a', RowKey: 'kv-pair', Version: 2, key: 'a', ...date }
    expect((await tables.rows('values')).map(withoutSystem)).toEqual([row])
    const etag = item._etag
    await item.modify(() => {})
    expect(item._etag).toBe(etag)
    await expect(First.load({ key: 'a' })).rejects.toMatchObject({
      code: 'UnreadableVersion',
      details: { storedVersion: 2 },
    })
  })

  it('R-129: are migrated with the context as this, as in that library', async () => {
    const tables = embeddedTables()
    const Item = Entity.configure({
      version: 1,
      partitionKey: keys.StringKey('id'),
      rowKey: keys.ConstantKey('item'),
      properties: { id: types.String },
    })
    const First = Item.setup({ tableName: 'items', service: tables.service })
    await First.ensureTable()
    await First.create({ id: 'a' })
    const Second = Item.configure({
      version: 2,
      properties: { id: types.String, owner: types.String },
      context: ['owners'],
      migrate({ id }) {
        return { id: String(id), owner: (this.owners as Record<string, string>)[String(id)] ?? '' }
      },
    }).setup({
      tableName: 'items',
      service: tables.service,
      context: { owners: { a: 'Ann' } },
    })
    expect((await Second.load({ id: 'a' })).owner).toBe('Ann')
  })

  it('R-129: reject a migrate that returns a promise', async () => {
    const { First, tables } = await keyValues()
    await First.create(old)
    const Later = KeyValue1.configure({
      version: 2,
      properties: { key: Entity.types.String },
      migrate: (async (item: object) => item) as never,
    }).setup({ tableName: 'values', service: tables.service })
    await expect(Later.load({ key: 'a' })).rejects.toMatchObject({
      code: 'MigrationFailed',
      message: expect.stringContaining('returned a promise'),
    })
  })

  it('R-129: migrate step by step', async () => {
    const { First, tables } = await keyValues()
    await First.create(old)
    const KeyValue3 = KeyValue2.configure({
      version: 3,
      properties: { key: types.String, year: types.Number },
      migrate: ({ key, date }) => ({ key: String(key), year: (date as Date).getUTCFullYear() }),
    })
    const Third = KeyValue3.setup({ tableName: 'values', service: tables.service })
    expect((await Third.load({ key: 'a' })).year).toBe(2015)
  })

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('enough')
      },
    ],
    ['returns nothing', () => undefined],
    ['changes the key', () => ({ key: 'other', date: new Date() })],
  ])('R-129: reject a migration that %s', async (_what, migrate) => {
    const { First, tables } = await keyValues()
    await First.create(old)
    const Wrong = KeyValue1.configure({
      version: 2,
      properties: { key: types.String, date: types.Date },
      migrate: migrate as () => never,
    }).setup({ tableName: 'values', service: tables.service })
    await expect(Wrong.load({ key: 'a' })).rejects.toMatchObject({ code: 'MigrationFailed' })
  })
})

describe('signed entities', () => {
  const Item = Entity.configure({
    version: 1,
    signEntities: true,
    partitionKey: keys.StringKey('id'),
    rowKey: keys.StringKey('name'),
    properties: { id: types.String, name: types.String, count: types.Number },
  })
  const row = { id: 'ZqZrh4PeQp6eS6alJNANLg', name: 'stable entity', count: 42 }
  const signingKey = 'no-way-you-can-guess-this'

  async function signed() {
    const tables = embeddedTables()
    const setup = { tableName: 'items', service: tables.service }
    const Items = Item.setup({ ...setup, signingKey })
    await Items.ensureTable()
    return { tables, Items, Other: Item.setup({ ...setup, signingKey: 'wrong-secret' }) }
  }

  it('R-128: have the signature that azure-entities makes', async () => {
    const { Items, tables } = await signed()
    await Items.create(row)
    expect((await tables.rows('items'))[0]?.Signature).toBe(
      'Ngc8HXokZRUuUJadEPtlYXbDPrV/C52eCR6aviiyLtaxvaV1LrWy0tFOjx0LzsiCd2Tq2dciEtL65cIfK8ohTQ==',
    )
  })

  it('R-128: are verified when they are read, also after a modify', async () => {
    const { Items, Other, tables } = await signed()
    const item = await Items.create(row)
    await item.modify((draft) => {
      draft.count += 1
    })
    expect((await Items.load(row)).count).toBe(43)
    const mismatch = { code: 'SignatureMismatch' }
    await expect(Other.load(row)).rejects.toMatchObject(mismatch)
    await tables.change('items', {
      PartitionKey: item._partitionKey,
      RowKey: item._rowKey,
      count: 1_000,
    })
    await expect(Items.load(row)).rejects.toMatchObject(mismatch)
    await expect(Items.scan()).rejects.toThrow(/Signature validation failed/)
  })

  it('R-128: are migrated to a version without signatures', async () => {
    const { Items, tables } = await signed()
    await Items.create(row)
    const Unsigned = Item.configure({
      version: 2,
      signEntities: false,
      properties: { id: types.String, name: types.String, reason: types.String },
      migrate: ({ id, name }) => ({ id: String(id), name: String(name), reason: 'none' }),
    }).setup({ tableName: 'items', service: tables.service, signingKey })
    const item = await Unsigned.load(row)
    await item.modify((draft) => {
      draft.reason = 'some'
    })
    expect((await tables.rows('items'))[0]).not.toHaveProperty('Signature')
    expect((await Unsigned.load(row)).reason).toBe('some')
  })
})
