import type { Drift } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { DecodeError, DynamicEntity, defineEntity, key, ModelError, SchemaError } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schemaColumns } from '../../../packages/mapper/src/model/define-entity.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'
import { freshAccount } from '../fresh-account.ts'

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema: z.object({
    customerId: z.string(),
    orderNo: z.number().int(),
    total: z.number().min(0),
    lines: z.int32().default(1),
    note: z.string().trim().optional(),
    paid: z.date().nullable(),
    courier: z.uuid().optional(),
    weight: z.bigint().optional(),
    label: z.instanceof(Uint8Array).optional(),
    state: z.enum(['open', 'sent']).default('open'),
  }),
  etag: 'etag',
  timestamp: 'modified',
  storeAs: { total: 't' },
})

async function freshOrders() {
  const { account, service, sent } = freshAccount()
  const orders = account.table(Order)
  await orders.create()
  sent.length = 0
  return { orders, account, service, sent }
}

const first = () => ({ customerId: 'c1', orderNo: 7, total: 9, paid: null })
const bodyOf = (request: { body?: unknown } | undefined) => JSON.parse(String(request?.body))

describe('defineEntity', () => {
  it('writes plain objects under the keys of its templates, and reads them back', async () => {
    const { orders, sent } = await freshOrders()
    const full = {
      ...first(),
      lines: 3,
      note: 'x',
      courier: '0b0f4c8e-33a5-4a5b-9d0e-7f0a3d1c2b4a',
      weight: 2n ** 60n,
      label: Uint8Array.of(1, 2),
      state: 'sent' as const,
      paid: new Date('2026-11-20T17:36:41.5Z'),
    }
    await orders.insert({ ...full })
    expect(bodyOf(sent[0])).toMatchObject({
      PartitionKey: 'c1',
      RowKey: '0002_00000007',
      't@odata.type': 'Edm.Double',
      lines: 3,
    })
    expect(bodyOf(sent[0])).not.toHaveProperty('orderNo')
    const read = await orders.get(['c1', '0002_00000007'])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(read).toEqual({
      ...full,
      etag: expect.stringMatching(/^W\//),
      modified: expect.any(Date),
    })
    expect(await orders.get({ customerId: 'c1', orderNo: 7 })).toEqual(read)
  })

  it('writes defaults, and reads them for properties that are not stored', async () => {
    const { orders, account } = await freshOrders()
    const given = { ...first(), note: '  two  ' }
    const written = await orders.insert(given)
    expect(written).toBe(given)
    expect(written).toMatchObject({ lines: 1, state: 'open', note: 'two' })
    await account
      .table('orders')
      .insertOrReplace(new DynamicEntity('c1', '0002_00000008', { t: 1.5 }))
    const bare = await orders.get({ customerId: 'c1', orderNo: 8 })
    expect(bare).toMatchObject({ orderNo: 8, total: 1.5, lines: 1, state: 'open', paid: null })
    expect(bare).not.toHaveProperty('note')
  })

  it('merges and checks only the changed properties', async () => {
    const { orders, sent } = await freshOrders()
    await orders.insert(first())
    const order = await orders.get({ customerId: 'c1', orderNo: 7 })
    await orders.merge(order)
    sent.length = 0
    order.total = 11
    await orders.merge(order)
    expect(Object.keys(bodyOf(sent[0]))).toEqual(['PartitionKey', 'RowKey', 't@odata.type', 't'])
    order.total = -1
    await expect(orders.merge(order)).rejects.toThrow(SchemaError)
    const [row] = await orders.query().where({ customerId: 'c1' }).select('lines').toArray()
    if (row === undefined) throw new TypeError('no row')
    await orders.merge(Object.assign(row, { lines: 4 }))
    expect((await orders.get({ customerId: 'c1', orderNo: 7 })).lines).toBe(4)
  })

  it('rejects invalid values before anything is sent', async () => {
    const { orders, sent } = await freshOrders()
    const bad = { ...first(), total: -5, courier: 'x' }
    await expect(orders.insert(bad)).rejects.toThrow(SchemaError)
    await expect(orders.insert(bad)).rejects.toThrow(
      /^\["c1","0002_00000007"\] of orders cannot be written, because its schema rejects it\. total: .*; courier: /,
    )
    await expect(orders.insertOrMerge({ customerId: 'c1', orderNo: 1 } as never)).rejects.toThrow(
      /total: .*; paid: /,
    )
    expect(() => orders.batch().insert(bad)).toThrow(SchemaError)
    await expect(orders.insert({ ...first(), orderNo: -1 })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }),
    )
    await expect(orders.insert({ ...first(), orderNo: 1.5 })).rejects.toThrow(
      /rejects it\. orderNo: /,
    )
    await expect(orders.insert({ ...first(), other: 1 } as never)).rejects.toThrow(/orders.other/)
    await expect(orders.get({ customerId: 'c1' } as never)).rejects.toThrow(/orders.orderNo/)
    expect(sent).toEqual([])
  })

  it('R-100: rejects an attempt to write an entity whose key parts changed since it was read', async () => {
    const { orders } = await freshOrders()
    await orders.insert(first())
    const order = await orders.get({ customerId: 'c1', orderNo: 7 })
    order.orderNo = 8
    await expect(orders.merge(order)).rejects.toThrow(/insert the entity under its new key/)
    await expect(orders.delete(order)).rejects.toThrow(/0002_00000007.*0002_00000008/)
  })

  it('deletes by the properties of the key', async () => {
    const { orders } = await freshOrders()
    await orders.insert(first())
    await expect(orders.delete({ customerId: 'c1', orderNo: 7 })).rejects.toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
    await orders.delete({ customerId: 'c1', orderNo: 7 }, { etag: '*' })
    expect(await orders.find({ customerId: 'c1', orderNo: 7 })).toBeUndefined()
  })

  it('R-152, R-165: turns conditions on key parts into conditions on keys', async () => {
    const { orders, sent } = await freshOrders()
    for (const orderNo of [5, 12, 100]) await orders.insert({ ...first(), orderNo })
    const query = orders.query().where((o) => o.customerId.eq('c1').and(o.orderNo.ge(12)))
    expect(query.explain()).toMatchObject({
      plan: 'range',
      filter: "PartitionKey eq 'c1' and RowKey ge '0002_00000012' and RowKey lt '0002`'",
    })
    sent.length = 0
    expect((await query.toArray()).map(({ orderNo }) => orderNo)).toEqual([12, 100])
    const point = orders.query().where({ customerId: 'c1', orderNo: 5 })
    expect(point.explain().plan).toBe('point')
  })

  it.each(['strict', 'lenient', 'report'] as const)(
    'reads rows that do not match the schema with the rule %s',
    async (read) => {
      const { account } = await freshOrders()
      const drifts: Drift[] = []
      const raw = account.table('orders')
      await raw.insert(new DynamicEntity('c1', 'x'))
      const Loose = defineEntity({
        name: 'orders',
        partitionKey: key`${'customerId'}`,
        rowKey: key`${'id'}`,
        schema: z.object({ customerId: z.string(), id: z.string(), total: z.number() }),
        read,
        ...(read === 'report' && { onDrift: (drift: Drift) => drifts.push(drift) }),
      })
      const found = account.table(Loose).get(['c1', 'x'])
      if (read === 'strict') {
        await expect(found).rejects.toThrow(DecodeError)
        await expect(found).rejects.toMatchObject({
          code: 'SchemaMismatch',
          message: expect.stringMatching(/^\["c1","x"\] of orders cannot be read, .* total: /),
          details: { table: 'orders', partitionKey: 'c1', rowKey: 'x' },
        })
      } else {
        expect(await found).toEqual({ customerId: 'c1', id: 'x' })
      }
      expect(drifts).toEqual(
        read === 'report'
          ? [
              {
                model: 'orders',
                key: { partitionKey: 'c1', rowKey: 'x' },
                issues: [{ path: 'total', message: expect.any(String) }],
              },
            ]
          : [],
      )
    },
  )

  it('reads a row whose asynchronous report rejects', async () => {
    const { account } = await freshOrders()
    await account.table('orders').insert(new DynamicEntity('c1', 'x'))
    const Loose = defineEntity({
      name: 'orders',
      partitionKey: key`${'customerId'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ customerId: z.string(), id: z.string(), total: z.number() }),
      read: 'report',
      onDrift: () => Promise.reject(new TypeError('mine')),
    })
    expect(await account.table(Loose).get(['c1', 'x'])).toEqual({ customerId: 'c1', id: 'x' })
    await new Promise(setImmediate) // an unhandled rejection fails the run
  })

  it('changes neither the model nor its definition', () => {
    expect(Object.isFrozen(Order)).toBe(true)
    expect(Order).toMatchObject({ name: 'orders', title: 'orders', class: undefined })
    expect(Order.columns.map(({ property, name, type }) => [property, name, type])).toEqual([
      ['total', 't', 'Double'],
      ['lines', 'lines', 'Int32'],
      ['note', 'note', 'String'],
      ['paid', 'paid', 'DateTime'],
      ['courier', 'courier', 'Guid'],
      ['weight', 'weight', 'Int64'],
      ['label', 'label', 'Binary'],
      ['state', 'state', 'String'],
    ])
  })

  const anyDefinition = defineEntity as unknown as (definition: unknown) => unknown
  const good = {
    name: 'orders',
    partitionKey: key`${'id'}`,
    rowKey: key`r`,
    schema: z.object({ id: z.string() }),
  }

  it.each<[string, object, (new (...args: never[]) => Error) | Error, RegExp]>([
    [
      'an unknown option',
      { partionKey: key`a` },
      expect.objectContaining({ code: 'UnknownOption' }),
      /partionKey/,
    ],
    [
      'no schema',
      { schema: undefined },
      ModelError,
      /must be an object schema of zod 4, valibot 1 or arktype 2/,
    ],
    ['a schema of something else', { schema: z.string() }, ModelError, /z\.object/],
    [
      'a key that is text',
      { partitionKey: 'id' },
      ModelError,
      /partitionKey must be a key template/,
    ],
    ['a key part the schema lacks', { rowKey: key`${'no:8'}` }, ModelError, /orders\.no: .*rowKey/],
    ['an object property', { schema: z.object({ id: z.object({}) }) }, ModelError, /No Edm type/],
    [
      'a stored name of a property that the schema lacks',
      { storeAs: { totl: 't' } },
      ModelError,
      /orders\.totl: storeAs has a name for it, but it is missing in the schema/,
    ],
    [
      'a stored name of a part of the key',
      { storeAs: { id: 'i' } },
      ModelError,
      /orders\.id: storeAs has a name for it, but it is a part of the key/,
    ],
    [
      'a name that is not text',
      { name: undefined },
      InputError,
      /^name of defineEntity must be text/,
    ],
    ['an ETag that is not text', { etag: 3 }, InputError, /^etag of defineEntity must be text/],
    ['a Timestamp that is not text', { timestamp: true }, InputError, /^timestamp of defineEntity/],
    ['a stored property as the ETag', { etag: 'id' }, ModelError, /id: It is stored, but it also/],
    [
      'a stored property as the Timestamp',
      { schema: z.object({ id: z.string(), at: z.date() }), timestamp: 'at' },
      ModelError,
      /at: It is stored, but it also shows the Timestamp/,
    ],
    [
      'one property for the ETag and the Timestamp',
      { etag: 'x', timestamp: 'x' },
      ModelError,
      /x: It shows both the ETag and the Timestamp/,
    ],
    [
      'a stored name twice',
      {
        schema: z.object({ id: z.string(), a: z.string(), b: z.string() }),
        storeAs: { a: 'b' },
      },
      ModelError,
      /stored as 'b'/,
    ],
  ])('rejects %s', (_what, change, error, message) => {
    const declare = () => anyDefinition({ ...good, ...change })
    expect(declare).toThrow(error)
    expect(declare).toThrow(message)
  })

  it('R-08: stores NaN and the infinities where the schema allows them', async () => {
    const x = z
      .number()
      .or(z.nan())
      .or(z.literal([Infinity, -Infinity]))
    const schema = z.object({ id: z.string(), x })
    const table = freshAccount().account.table(defineEntity({ ...good, schema }))
    await table.create()
    for (const value of [Number.NaN, Infinity, -Infinity, 5]) {
      await table.insertOrReplace({ id: 'a', x: value })
      expect((await table.get({ id: 'a' })).x).toBe(value)
    }
  })

  it('stores properties that the key only hashes', () => {
    const model = defineEntity({ ...good, partitionKey: key`${'id:hash'}` })
    expect(model.columns.map(({ name }) => name)).toEqual(['id'])
  })
})

const columns = (shape: z.core.$ZodShape) =>
  schemaColumns(new EntitySchema('orders', z.object(shape)), new Set(['id']), {
    storeAs: { total: 't' },
  })

describe('schemaColumns', () => {
  it('has a column for each property that the keys do not hold', () => {
    expect(columns({ id: z.string(), total: z.number(), sent: z.boolean() })).toEqual([
      { property: 'total', name: 't', type: 'Double' },
      { property: 'sent', name: 'sent', type: 'Boolean' },
    ])
  })

  it.each(['constructor', 'toString'])('rejects %s, which every object has', (name) => {
    expect(() => columns({ [name]: z.string() })).toThrow(ModelError)
    expect(() => columns({ [name]: z.string() })).toThrow(
      `orders.${name}: Every JavaScript object has a member`,
    )
  })

  it('stores arrays and objects as JSON text', () => {
    expect(columns({ id: z.string(), lines: z.array(z.string()) })).toMatchObject([
      { property: 'lines', type: 'String', converter: { type: 'String' } },
    ])
  })

  it('rejects a property that no Edm type stores, in a key too', () => {
    expect(() => columns({ lines: z.map(z.string(), z.string()) })).toThrow(ModelError)
    expect(() => columns({ lines: z.map(z.string(), z.string()) })).toThrow(
      /^orders.lines: No Edm type stores the values of its schema/,
    )
    expect(() => columns({ id: z.array(z.string()) })).toThrow(/not in a key/)
    expect(() => columns({ id: z.string().transform(Number) })).toThrow(/cannot be undone/)
  })
})
