import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { embeddedTables } from './tables.ts'

const Item = Entity.configure({
  version: 1,
  partitionKey: Entity.keys.StringKey('id'),
  rowKey: Entity.keys.StringKey('name'),
  properties: {
    id: Entity.types.String,
    name: Entity.types.String,
    count: Entity.types.Number,
    tags: Entity.types.JSON,
  },
})

async function freshItems() {
  const tables = embeddedTables()
  const Items = Item.setup({ tableName: 'items', service: tables.service })
  await Items.ensureTable()
  return { tables, Items }
}

const one = { id: 'a/b', name: 'one', count: 1, tags: { colour: 'red' } }

const rejection = (code: string, statusCode: number) =>
  expect.objectContaining({ code, statusCode })

describe('inspect', () => {
  it('shows the properties', async () => {
    const { Items } = await freshItems()
    const item = await Items.create({ ...one, tags: { a: { b: { c: 1 } } } })
    expect(item.inspect(0)).toBe("{ id: 'a/b', name: 'one', count: 1, tags: [Object] }")
    expect(item.inspect(null)).toContain('{ c: 1 }')
  })
})

describe('create', () => {
  it('R-135: stores a row and returns its entity', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    expect(item).toBeInstanceOf(Items)
    expect(item).toBeInstanceOf(Item)
    expect([item.id, item.name, item.count, item.tags]).toEqual(['a/b', 'one', 1, one.tags])
    expect(await Items.load(one)).toEqual(item)
  })

  it('R-135: rejects an existing row, and overwrites it on request', async () => {
    const { Items } = await freshItems()
    await Items.create(one)
    await expect(Items.create(one)).rejects.toEqual(rejection('EntityAlreadyExists', 409))
    await Items.create({ ...one, count: 2 }, true)
    expect((await Items.load(one)).count).toBe(2)
  })

  it('copies the values, so that later changes of the caller do not change the entity', async () => {
    const { Items } = await freshItems()
    const tags = { colour: 'red' }
    const item = await Items.create({ ...one, tags })
    tags.colour = 'blue'
    expect(item.tags).toEqual({ colour: 'red' })
  })

  it('names the property that is missing', async () => {
    const { Items, tables } = await freshItems()
    const { count: _count, ...rest } = one
    await expect(Items.create(rest as typeof one)).rejects.toMatchObject({
      code: 'InvalidValue',
      details: { property: 'count' },
    })
    expect(await tables.rows('items')).toEqual([])
  })
})

describe('an entity', () => {
  it('ignores assignments outside of modify, and throws in strict mode', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    expect(() => Object.assign(item, { count: 5 })).toThrow(TypeError)
    expect(Reflect.set(item, 'count', 5)).toBe(false)
    expect(item.count).toBe(1)
  })
})

describe('a UUID', () => {
  const open = async () => {
    const Owned = Entity.configure({
      version: 1,
      partitionKey: Entity.keys.StringKey('id'),
      rowKey: Entity.keys.ConstantKey('row'),
      properties: { id: Entity.types.UUID, owner: Entity.types.UUID },
    }).setup({ tableName: 'owned', service: embeddedTables().service })
    await Owned.ensureTable()
    return Owned
  }
  const id = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'

  it('of a key may be any text where a row is looked up, such as that of an address', async () => {
    const Owned = await open()
    expect(await Owned.load({ id: 'nope' }, true)).toBeNull()
    expect(await Owned.remove({ id: 'nope' }, true)).toBe(false)
    await expect(Owned.load({ id: 'nope' })).rejects.toEqual(rejection('ResourceNotFound', 404))
    await expect(Owned.create({ id: 'nope', owner: id })).rejects.toMatchObject({
      code: 'InvalidValue',
    })
  })

  it('has the case that a modifier gives it, though that changes nothing', async () => {
    const Owned = await open()
    const owned = await Owned.create({ id, owner: id })
    await owned.modify((draft) => {
      draft.owner = id.toUpperCase()
    })
    expect(owned.owner).toBe(id.toUpperCase())
  })
})

describe('load', () => {
  it('R-138: rejects a missing row, or returns null', async () => {
    const { Items } = await freshItems()
    await expect(Items.load(one)).rejects.toEqual(rejection('ResourceNotFound', 404))
    expect(await Items.load(one, true)).toBeNull()
  })

  it('R-138: needs every property of the keys, and only these', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    expect(await Items.load({ id: 'a/b', name: 'one' })).toEqual(item)
    await expect(Items.load({ id: 'a/b' })).rejects.toMatchObject({ code: 'MissingKeyProperty' })
  })

  it('R-138: needs no properties when both keys are constants', async () => {
    const { tables } = await freshItems()
    const Settings = Entity.configure({
      version: 1,
      partitionKey: Entity.keys.ConstantKey('settings'),
      rowKey: Entity.keys.ConstantKey('settings'),
      properties: { colour: Entity.types.String },
    }).setup({ tableName: 'items', service: tables.service })
    await Settings.create({ colour: 'red' })
    expect((await Settings.load()).colour).toBe('red')
    expect(await Settings.remove()).toBe(true)
  })

  it('says which row cannot be read', async () => {
    const { Items, tables } = await freshItems()
    await Items.create(one)
    await tables.put('items', { PartitionKey: 'a!2Fb', RowKey: 'one', Version: 1, id: 'a/b' })
    await expect(Items.load(one)).rejects.toMatchObject({
      code: 'UnreadableProperty',
      details: { table: 'items', partitionKey: 'a!2Fb', rowKey: 'one', property: 'name' },
    })
  })
})

describe('modify', () => {
  it('R-136: changes a copy, which is both this and the argument', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    const same = await item.modify(function (draft) {
      this.count += 1
      draft.count += 1
      expect(draft).toBe(this)
      expect(item.count).toBe(1)
    })
    expect(same).toBe(item)
    expect(item.count).toBe(3)
    expect(await Items.load(one)).toEqual(item)
  })

  it('R-136: waits for an asynchronous modifier, and finds changes inside of values', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    await item.modify(async (draft) => {
      await Promise.resolve()
      Object.assign(Object(draft.tags), { colour: 'blue' })
    })
    expect((await Items.load(one)).tags).toEqual({ colour: 'blue' })
  })

  it('R-136: reads a row that changed and runs the modifier again', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    const other = await Items.load(one)
    await Promise.all(
      [item, other].map((entity) =>
        entity.modify((draft) => {
          draft.count += 1
        }),
      ),
    )
    expect((await Items.load(one)).count).toBe(3)
  })

  it('keeps the entity as it is when the modifier throws', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    const failure = item.modify((draft) => {
      draft.count = 9
      throw new RangeError('enough')
    })
    await expect(failure).rejects.toThrow(RangeError)
    expect(item.count).toBe(1)
  })
})

describe('remove', () => {
  it('R-137: of the class returns whether there was a row', async () => {
    const { Items } = await freshItems()
    await Items.create(one)
    expect(await Items.remove(one)).toBe(true)
    expect(await Items.remove(one, true)).toBe(false)
    await expect(Items.remove(one)).rejects.toEqual(rejection('ResourceNotFound', 404))
  })

  it('R-137: of an entity rejects a row that changed, unless changes are ignored', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    await (await Items.load(one)).modify((draft) => {
      draft.count += 1
    })
    await expect(item.remove()).rejects.toEqual(rejection('UpdateConditionNotSatisfied', 412))
    expect(await item.remove(true)).toBeUndefined()
    await expect(item.remove()).rejects.toEqual(rejection('ResourceNotFound', 404))
    expect(await item.remove(false, true)).toBeUndefined()
  })
})

describe('reload', () => {
  it('R-139: returns whether the row had changed', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    expect(await item.reload()).toBe(false)
    await (await Items.load(one)).modify((draft) => {
      draft.count = 7
    })
    expect(await item.reload()).toBe(true)
    expect(item.count).toBe(7)
  })
})

describe('the table', () => {
  it('R-134: is created once and removed once', async () => {
    const { Items } = await freshItems()
    await Items.ensureTable()
    await Items.removeTable()
    await expect(Items.removeTable()).rejects.toMatchObject({ statusCode: 404 })
    await expect(Items.removeTable()).rejects.toMatchObject({ code: 'ResourceNotFound' })
  })
})

describe('a missing table in memory', () => {
  it('has the code of a missing entity', async () => {
    const Items = Item.setup({ tableName: 'nowhere', credentials: 'inMemory' })
    const missing = rejection('ResourceNotFound', 404)
    await expect(Items.create(one)).rejects.toEqual(missing)
    await expect(Items.load(one)).rejects.toEqual(missing)
    await expect(Items.scan({})).rejects.toEqual(missing)
    await expect(Items.remove(one)).rejects.toEqual(missing)
    expect(await Items.load(one, true)).toBeNull()
    expect(await Items.remove(one, true)).toBe(false)
  })
})

describe('a class', () => {
  it('R-122: inherits static and instance methods through configure and setup', async () => {
    const { tables } = await freshItems()
    class Counter extends Item {
      static readonly kind: string = 'counter'
      next(): number {
        return this.count + 1
      }
    }
    const Counters = Counter.setup({ tableName: 'items', service: tables.service })
    expect(Counters.kind).toBe('counter')
    const counter = await Counters.create(one)
    expect(counter).toBeInstanceOf(Counter)
    expect(counter.next()).toBe(2)
    expect((await Counters.load(one)).next()).toBe(2)
  })

  it('R-133: cannot be configured or set up again, but its parent can be set up many times', async () => {
    const { Items, tables } = await freshItems()
    const setup = { tableName: 'others', service: tables.service }
    const inState = expect.objectContaining({ code: 'InvalidState' })
    expect(() => Items.setup(setup)).toThrow(inState)
    expect(() => Items.configure({ version: 2, properties: {}, migrate: () => ({}) })).toThrow(
      inState,
    )
    const Others = Item.setup(setup)
    await Others.ensureTable()
    await Others.create(one)
    expect(await Items.load(one, true)).toBeNull()
  })

  it('must be configured and set up before it is used', async () => {
    const inState = expect.objectContaining({ code: 'InvalidState' })
    expect(() => Entity.setup({ tableName: 'items', credentials: 'inMemory' })).toThrow(inState)
    await expect(Item.load(one)).rejects.toEqual(inState)
  })

  it('R-124: takes its keys under the names of both versions of the library', () => {
    expect(Entity.StringKey).toBe(Entity.keys.StringKey)
    expect(Entity.ConstantKey).toBe(Entity.keys.ConstantKey)
    expect(Entity.CompositeKey).toBe(Entity.keys.CompositeKey)
    expect(Entity.HashKey).toBe(Entity.keys.HashKey)
  })
})
