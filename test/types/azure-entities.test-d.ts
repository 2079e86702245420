import Entity, { type SlugIdArray } from '@rowkey/azure-entities'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const proves = <_Truth extends true>(): void => {}

const { keys, types } = Entity

class Item extends Entity.configure({
  version: 1,
  partitionKey: keys.StringKey('id'),
  rowKey: keys.ConstantKey('row'),
  properties: {
    id: types.SlugId,
    count: types.Number,
    since: types.Date,
    active: types.Boolean,
    bytes: types.EncryptedBlob,
    tasks: types.SlugIdArray,
    payload: types.Schema<{ command: string }>({ type: 'object' }),
    anything: types.JSON,
  },
}) {
  next(): number {
    return this.count + 1
  }
}

const Items = Item.setup({ tableName: 'items', credentials: 'inMemory' })
const values = {
  id: '',
  count: 1,
  since: new Date(),
  active: true,
  bytes: Buffer.alloc(0),
  tasks: types.SlugIdArray.create(),
  payload: { command: '' },
  anything: null,
}

// Entities have the values of their types, and the methods of their class.
const item = await Items.create(values)
proves<Equal<typeof item.count, number>>()
proves<Equal<typeof item.since, Date>>()
proves<Equal<typeof item.active, boolean>>()
proves<Equal<typeof item.bytes, Buffer>>()
proves<Equal<typeof item.tasks, SlugIdArray>>()
proves<Equal<typeof item.payload, { command: string }>>()
proves<Equal<typeof item.anything, unknown>>()
proves<Equal<ReturnType<typeof item.next>, number>>()

// @ts-expect-error a property has a wrong type
void Items.create({ ...values, count: 'one' })
// @ts-expect-error properties are missing
void Items.create({ id: '' })

// A missing row is null only on request.
const loaded = await Items.load({ id: '' })
loaded.count.toFixed()
const found = await Items.load({ id: '' }, true)
// @ts-expect-error it may be null
found.count
found?.count.toFixed()

// Properties change in modify only.
// @ts-expect-error entities are read-only
item.count = 5
void item.modify(function (draft) {
  this.count += 1
  draft.payload.command = 'make'
  // @ts-expect-error a draft has the properties only
  draft.remove()
})

// Conditions are values or operators of the property's type.
void Items.scan({ count: Entity.op.lessThan(5), active: true })
// @ts-expect-error a wrong type
void Items.scan({ count: 'five' })
// @ts-expect-error an unknown property
void Items.query({ other: 1 })

// A scan returns a page, or nothing with a handler.
const page = await Items.query({ id: '' }, { limit: 5 })
proves<Equal<typeof page.continuation, string | null>>()
page.entries[0]?.next()
proves<Equal<Awaited<ReturnType<typeof handled>>, void>>()
const handled = () => Items.scan({}, { handler: (one) => one.next() })

// The next version has its own properties, and the methods of the class.
const Next = Item.configure({
  version: 2,
  properties: { id: types.SlugId, total: types.Number },
  migrate: (old) => ({ id: String(old.id), total: Number(old.count) }),
}).setup({ tableName: 'items', credentials: 'inMemory' })
const next = await Next.create({ id: '', total: 1 })
next.total.toFixed()
next.next()

Item.configure({
  version: 2,
  properties: { id: types.SlugId, total: types.Number },
  // @ts-expect-error migrate must return all properties
  migrate: (old) => ({ id: String(old.id) }),
})
