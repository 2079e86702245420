import {
  Convert,
  type Converter,
  Entity,
  Json,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  StoreAs,
  Text,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshTable } from '../fresh-account.ts'

class Decimal {
  readonly units: bigint
  constructor(units: bigint) {
    this.units = units
  }
}

const decimal: Converter<Decimal, bigint> = {
  type: 'Int64',
  toStored: ({ units }) => units,
  fromStored: (stored) => new Decimal(stored),
}

const STATES = ['open', 'sent', 'paid'] as const
const state: Converter<(typeof STATES)[number], number> = {
  type: 'Int32',
  comparable: true,
  toStored: (value) => STATES.indexOf(value),
  fromStored: (stored) => STATES[stored] ?? 'open',
}

@Entity('orders')
class Order {
  @PartitionKey() customer = ''
  @RowKey() id = ''
  @Convert(decimal) @StoreAs('p') price?: Decimal
  @Convert(state) state: (typeof STATES)[number] = 'open'
}

const order = (values: Partial<Order>) =>
  Object.assign(new Order(), { customer: 'c', id: '1' }, values)
const orderKey = ['c', '1'] as const

describe('@Convert', () => {
  it('R-101: converts a value when it is stored, and back when it is read', async () => {
    const { table, account } = await freshTable(Order)
    await table.insert(order({ price: new Decimal(950n), state: 'sent' }))
    expect(await table.get(orderKey)).toMatchObject({ price: new Decimal(950n), state: 'sent' })
    const stored = await account.table('orders').get(orderKey)
    expect(stored.get('p')).toMatchObject({ type: 'Int64', value: 950n })
    expect(stored.get('state')).toMatchObject({ type: 'Int32', value: 1 })
  })

  it('widens a stored value before it is converted, and keeps its stored type', async () => {
    const { table, account } = await freshTable(Order)
    await account.table('orders').insert(new DynamicEntity(...orderKey, { p: 7 }))
    const read = await table.get(orderKey)
    expect(read.price).toEqual(new Decimal(7n))
    await table.replace(read)
    expect((await account.table('orders').get(orderKey)).get('p')?.type).toBe('Int32')
  })

  it('R-103: keeps the initial value of a member that is not stored, and does not merge it', async () => {
    const { table, account, sent } = await freshTable(Order)
    await account.table('orders').insert(new DynamicEntity(...orderKey))
    const read = await table.get(orderKey)
    expect(read.state).toBe('open')
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
  })

  it('compares stored values in a query when the converter is comparable', async () => {
    const { table } = await freshTable(Order)
    await table.insert(order({ state: 'sent' }))
    const query = table.query().where({ customer: 'c', state: 'sent' })
    expect(query.explain().filter).toBe("PartitionKey eq 'c' and state eq 1")
    expect((await query.toArray()).map(({ id }) => id)).toEqual(['1'])
    expect(await table.query().where({ customer: 'c', state: 'paid' }).toArray()).toEqual([])
    const local = table.query().where({ customer: 'c' }).filterLocally({ state: 'sent' })
    expect(await local.toArray()).toHaveLength(1)
  })

  it('rejects conditions when the converter is not comparable', async () => {
    const { table } = await freshTable(Order)
    expect(() => table.query().where({ price: 5n } as never)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
  })

  it.each([undefined, null, {}, { type: 'String', toStored: () => '' }])(
    'rejects %o, which is not a converter',
    (given) => {
      class Wrong {
        @PartitionKey() a = ''
        @RowKey() b = ''
        @Convert(given as never) c?: unknown
      }
      expect(() => modelOf(Wrong)).toThrow(ModelError)
      expect(() => modelOf(Wrong)).toThrow(/^Wrong\.c: @Convert needs a converter/)
    },
  )
})

interface Address {
  street: string
  lines?: string[]
}

@Entity('people')
class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Json() address?: Address
  @Json(z.array(z.string())) tags: string[] = []
  @Json() @Text() history?: readonly number[]
}

const person = (values: Partial<Person>) =>
  Object.assign(new Person(), { lastName: 'Smith', firstName: 'Jeff' }, values)
const key = ['Smith', 'Jeff'] as const

describe('@Json', () => {
  it('R-125: stores plain values as JSON text, and reads them back', async () => {
    const { table, account } = await freshTable(Person)
    await table.insert(person({ address: { street: 'Main St' }, tags: ['a'] }))
    expect(await table.get(key)).toMatchObject({ address: { street: 'Main St' }, tags: ['a'] })
    const stored = await account.table('people').get(key)
    expect(stored.get('address')).toMatchObject({ type: 'String', value: '{"street":"Main St"}' })
  })

  it('merges only a value that was changed in place', async () => {
    const { table, sent } = await freshTable(Person)
    await table.insert(person({ address: { street: 'Main St', lines: [] } }))
    const jeff = await table.get(key)
    sent.length = 0
    await table.merge(jeff)
    expect(sent).toEqual([])
    jeff.address?.lines?.push('3rd floor')
    await table.merge(jeff)
    expect(sent.map(({ body }) => body)).toEqual([
      JSON.stringify({
        PartitionKey: 'Smith',
        RowKey: 'Jeff',
        address: JSON.stringify({ street: 'Main St', lines: ['3rd floor'] }),
      }),
    ])
  })

  it('keeps the text of another program until the value changes', async () => {
    const { table, account } = await freshTable(Person)
    const address = '{ "street" : "Main St", "no": 12345678901234567890 }'
    await account.table('people').insert(new DynamicEntity(...key, { address }))
    const jeff = await table.get(key)
    await table.replace(jeff)
    expect((await account.table('people').get(key)).get('address')?.value).toBe(address)
  })

  it.each([
    '1e999',
    '{"no":1e999}',
    '{"no":1,"no":2}',
    ' [ 1.0 , 12345678901234567890, -0, 0.1e-400 ]\n',
    '["\\ud800", "\\u0041"]',
    'null',
  ])('R-125: merge and replace leave the untouched text %s as it is', async (address) => {
    const { table, account, sent } = await freshTable(Person)
    const people = account.table('people')
    await people.insert(new DynamicEntity(...key, { address }))
    const jeff = await table.get(key)
    sent.length = 0
    await table.merge(jeff)
    expect(sent).toEqual([])
    jeff.tags = ['a']
    await table.merge(jeff)
    await table.replace(jeff)
    expect((await people.get(key)).get('address')?.value).toBe(address)
  })

  it('R-125: changing one member keeps the text of the others, in a merge and in a replace', async () => {
    const { table, account } = await freshTable(Person)
    const people = account.table('people')
    const stored = async () => (await people.get(key)).get('address')?.value
    const address = '{"id":12345678901234567890,"street":"Main St","x":[1e999]}'
    await people.insert(new DynamicEntity(...key, { address }))
    const jeff = await table.get(key)
    Object.assign(jeff.address ?? {}, { street: 'High St' })
    await table.merge(jeff)
    expect(await stored()).toBe('{"id":12345678901234567890,"street":"High St","x":[1e999]}')
    Object.assign(jeff.address ?? {}, { street: 'Low St' })
    await table.replace(jeff)
    expect(await stored()).toBe('{"id":12345678901234567890,"street":"Low St","x":[1e999]}')
  })

  it('R-125: keeps the text of a value when a copy of the entity is written to another row', async () => {
    const { table, account } = await freshTable(Person)
    const people = account.table('people')
    const address = '{"id":12345678901234567890,"street":"Main St"}'
    await people.insert(new DynamicEntity(...key, { address }))
    const copy = Object.assign(new Person(), await table.get(key), { firstName: 'Ann' })
    await table.insert(copy)
    expect((await people.get(['Smith', 'Ann'])).get('address')?.value).toBe(address)
    Object.assign(copy.address ?? {}, { street: 'High St' })
    await table.insertOrReplace(Object.assign(new Person(), copy, { firstName: 'Ben' }))
    expect((await people.get(['Smith', 'Ben'])).get('address')?.value).toBe(
      '{"id":12345678901234567890,"street":"High St"}',
    )
  })

  it('R-125: rejects a number that JavaScript cannot hold when it was moved, and names its place', async () => {
    const { table, account, sent } = await freshTable(Person)
    const history = '[12345678901234567890,5]'
    await account.table('people').insert(new DynamicEntity(...key, { history }))
    const jeff = await table.get(key)
    jeff.history = jeff.history?.toReversed() ?? []
    sent.length = 0
    await expect(table.merge(jeff)).rejects.toThrow(
      /^Person\.history cannot be written: 1 of the value has a number that is stored with more digits/,
    )
    expect(sent).toEqual([])
  })

  it('holds more than one property does, with @Text', async () => {
    const { table, account } = await freshTable(Person)
    const history = Array.from({ length: 20_000 }, (_, at) => at)
    await table.insert(person({ history }))
    expect((await table.get(key)).history).toEqual(history)
    expect((await account.table('people').get(key)).has('history_2')).toBe(true)
  })

  it('checks a value with its schema before anything is sent, and names the property', async () => {
    const { table, sent } = await freshTable(Person)
    const wrong = person({ tags: [5] as never })
    const refused = table.insert(wrong)
    await expect(refused).rejects.toThrow(
      /^Person\.tags cannot be written: The schema rejects it\. 0: /,
    )
    await expect(refused).rejects.toMatchObject({ cause: { code: 'InvalidJsonValue' } })
    expect(sent).toEqual([])
  })

  it('cannot be compared by a query', async () => {
    const { table } = await freshTable(Person)
    const given = { address: 'x' } as never
    expect(() => table.query().where(given)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => table.query().where(given)).toThrow(
      /Person\.address.*Its converter changes its values/,
    )
  })
})
