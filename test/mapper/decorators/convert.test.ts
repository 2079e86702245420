import {
  Convert,
  type Converter,
  Entity,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
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
const key = ['c', '1'] as const

describe('@Convert', () => {
  it('R-101: stores what the converter makes, and gives back what it makes of that', async () => {
    const { table, account } = await freshTable(Order)
    await table.insert(order({ price: new Decimal(950n), state: 'sent' }))
    expect(await table.get(key)).toMatchObject({ price: new Decimal(950n), state: 'sent' })
    const stored = await account.table('orders').get(key)
    expect(stored.get('p')).toMatchObject({ type: 'Int64', value: 950n })
    expect(stored.get('state')).toMatchObject({ type: 'Int32', value: 1 })
  })

  it('widens what is stored before it is converted, and keeps it as it was stored', async () => {
    const { table, account } = await freshTable(Order)
    await account.table('orders').insert(new DynamicEntity(...key, { p: 7 }))
    const read = await table.get(key)
    expect(read.price).toEqual(new Decimal(7n))
    await table.replace(read)
    expect((await account.table('orders').get(key)).get('p')?.type).toBe('Int32')
  })

  it('R-103: keeps the initial value of a member that is not stored, and does not merge it', async () => {
    const { table, account, sent } = await freshTable(Order)
    await account.table('orders').insert(new DynamicEntity(...key))
    const read = await table.get(key)
    expect(read.state).toBe('open')
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
  })

  it('compares what is stored, where the converter says that this can be', async () => {
    const { table } = await freshTable(Order)
    await table.insert(order({ state: 'sent' }))
    const query = table.query().where({ customer: 'c', state: 'sent' })
    expect(query.explain().filter).toBe("PartitionKey eq 'c' and state eq 1")
    expect((await query.toArray()).map(({ id }) => id)).toEqual(['1'])
    expect(await table.query().where({ customer: 'c', state: 'paid' }).toArray()).toEqual([])
    const local = table.query().where({ customer: 'c' }).filterLocally({ state: 'sent' })
    expect(await local.toArray()).toHaveLength(1)
  })

  it('refuses conditions on what is not said to be comparable', async () => {
    const { table } = await freshTable(Order)
    expect(() => table.query().where({ price: 5n } as never)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
  })

  it.each([undefined, null, {}, { type: 'String', toStored: () => '' }])(
    'refuses %o, which is no converter',
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
