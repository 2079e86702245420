import { defineEntity, type EntityModel, key, longText, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { codecOf } from '../../../packages/mapper/src/layers/codec-of.ts'
import { mappingOf } from '../../../packages/mapper/src/layers/mapping.ts'
import { Migration } from '../../../packages/mapper/src/versions/migration.ts'
import { plain } from '../plain-snapshot.ts'
import { OrderV1, OrderV2, OrderV3, storedV1 } from './orders.ts'

function migrationBy(migrate: (earlier: object) => object, model: EntityModel<object> = OrderV3) {
  const otherModel = modelOf(OrderV1)
  const { codec: other } = mappingOf(otherModel)
  const parts = { ...mappingOf(model), model, otherModel, other, migrate }
  return new Migration<object>({ ...parts, option: 'migrate' })
}

describe('Migration', () => {
  it('R-129: makes an entity of this version from one of the version before', () => {
    const migration = migrationBy((order) => {
      const { customer, orderNo, total } = order as OrderV1
      return { customer, orderNo, amount: Number(total) }
    })
    const { entity, etag } = migration.read(storedV1, 'W/"1"')
    expect(entity).toEqual({ customer: 'c1', orderNo: '7', amount: 9.5, currency: 'EUR' })
    expect(etag).toBe('W/"1"')
    expect(migration.reveal(storedV1)).toEqual(storedV1)
  })

  it('keeps undeclared properties, and records the migration', () => {
    const migration = migrationBy(() => ({ customer: 'c1', orderNo: '7', amount: 1 }))
    expect(plain(migration.read(storedV1, 'W/"1"'))).toMatchObject({
      row: { PartitionKey: 'c1', RowKey: '7', extra: 'kept' },
      etag: 'W/"1"',
      other: 'earlier',
    })
    const inRow = migration.read({ ...storedV1, 'odata.etag': 'W/"2"' }, 'W/"1"')
    expect(inRow.etag).toBe('W/"2"')
  })

  it('keeps properties that no version declares, and drops those of earlier versions', () => {
    const order = codecOf(OrderV3).read(storedV1)
    expect(codecOf(OrderV3).write(order)).toBe(
      '{"PartitionKey":"c1","RowKey":"7","amount":9.5,"currency":"EUR","extra":"kept","Version":3}',
    )
  })

  it('keeps properties of other programs that are named like a piece of a long value', () => {
    const declared = { name: 'notes', partitionKey: key`${'day'}`, rowKey: key`${'id'}` }
    const schema = z.object({ day: z.string(), id: z.string(), text: z.string() })
    const columns = { text: longText() }
    const previous = defineEntity({ ...declared, schema, columns, version: 1 })
    const latest = defineEntity({
      ...declared,
      schema,
      columns,
      version: 2,
      previous,
      migrate: (note) => ({ ...note, text: 'short' }),
    })
    const long = { text: 'a'.repeat(32_768), text_2: 'a' }
    const stored = { PartitionKey: 'd', RowKey: '1', ...long, text_3: 3, text_5: 'five' }
    const note = codecOf(latest).read(stored)
    expect(JSON.parse(codecOf(latest).write(note))).toEqual({
      PartitionKey: 'd',
      RowKey: '1',
      text: 'short',
      text_3: 3,
      text_5: 'five',
      Version: 2,
    })
  })

  it.each([
    ['PartitionKey', 'c2', '7'],
    ['RowKey', 'c1', '8'],
  ])('R-129: rejects another %s, and names the row', (_, customer, orderNo) => {
    const migration = migrationBy(() => ({ customer, orderNo, amount: 1 }))
    expect(() => migration.read(storedV1, undefined)).toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'MigrationFailed' }),
    )
    expect(() => migration.read(storedV1, undefined)).toThrow(
      `orders: migrating the row ["c1","7"] failed: migrate changed the keys to ["${customer}","${orderNo}"]`,
    )
  })

  it.each<[string, () => unknown, string]>([
    ['throws', () => Reflect.get(null as never, 'x'), 'migrate threw'],
    ['returns nothing', () => undefined, 'migrate must return an object, not a promise'],
    [
      'returns a promise',
      () => Promise.resolve({}),
      'migrate must return an object, not a promise',
    ],
    [
      'returns what the schema rejects',
      () => ({ amount: 'x' }),
      'the result of migrate cannot be stored',
    ],
  ])('rejects a function that %s', (_, migrate, problem) => {
    expect(() => migrationBy(migrate as never).read(storedV1, undefined)).toThrow(problem)
  })

  it('rejects an object that is not of the class', () => {
    const migration = migrationBy(() => ({ customer: 'c1', orderNo: '7' }), modelOf(OrderV2))
    expect(() => migration.read(storedV1, undefined)).toThrow('an instance of OrderV2')
  })
})
