import { type EntityModel, MigrationError, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { codecOf } from '../../../packages/mapper/src/codec/codec-of.ts'
import { Migration } from '../../../packages/mapper/src/versions/migration.ts'
import { OrderV1, OrderV2, OrderV3, storedV1 } from './orders.ts'

function migrationBy(migrate: (earlier: object) => object, model: EntityModel<object> = OrderV3) {
  const earlier = codecOf(modelOf(OrderV1))
  return new Migration<object>({ model, codec: codecOf(model), earlier, migrate })
}

describe('Migration', () => {
  it('R-129: makes an entity of this version of one of the version before', () => {
    const migration = migrationBy((order) => {
      const { customer, orderNo, total } = order as OrderV1
      return { customer, orderNo, amount: Number(total) }
    })
    const order = migration.read(storedV1, 'W/"1"')
    expect(order).toEqual({ customer: 'c1', orderNo: '7', amount: 9.5, currency: 'EUR' })
    expect(codecOf(OrderV3).etagOf(order as never)).toBe('W/"1"')
    expect(migration.reveal(storedV1)).toEqual(storedV1)
  })

  it('keeps what no version declares, and drops what only earlier ones do', () => {
    const order = codecOf(OrderV3).read(storedV1)
    expect(codecOf(OrderV3).write(order)).toBe(
      '{"PartitionKey":"c1","RowKey":"7","amount":9.5,"currency":"EUR","extra":"kept","Version":3}',
    )
  })

  it('R-129: refuses keys that come out otherwise, naming the row', () => {
    const migration = migrationBy(() => ({ customer: 'c2', orderNo: '7', amount: 1 }))
    expect(() => migration.read(storedV1, undefined)).toThrow(MigrationError)
    expect(() => migration.read(storedV1, undefined)).toThrow(
      'orders: migrating the row ["c1","7"] failed: the keys came out as ["c2","7"]',
    )
  })

  it.each<[string, () => unknown, string]>([
    ['throws', () => Reflect.get(null as never, 'x'), 'migrate threw'],
    ['gives nothing', () => undefined, 'must return an object, and no promise'],
    ['gives a promise', () => Promise.resolve({}), 'must return an object, and no promise'],
    ['gives what the schema refuses', () => ({ amount: 'x' }), 'gave what cannot be stored'],
  ])('refuses a function that %s', (_, migrate, problem) => {
    expect(() => migrationBy(migrate as never).read(storedV1, undefined)).toThrow(problem)
  })

  it('refuses an object that is not of the class', () => {
    const migration = migrationBy(() => ({ customer: 'c1', orderNo: '7' }), modelOf(OrderV2))
    expect(() => migration.read(storedV1, undefined)).toThrow('an instance of OrderV2')
  })
})
