import { ModelError, modelOf, SchemaError, union } from '@rowkey/mapper'
import { checkEntityKey, DynamicEntity, InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { codecOf } from '../../../packages/mapper/src/layers/codec-of.ts'
import { fitOf, holdsKeyOf, TypeFinder } from '../../../packages/mapper/src/union/type-finder.ts'
import { Customer, customer, Group, Order, Refund, User } from './store.ts'

const finder = new TypeFinder(union(Customer, Order, Refund), checkEntityKey)
const unknown = { PartitionKey: 'c1', RowKey: '0009_x' }

describe('TypeFinder', () => {
  it('rejects rows of other types, and names the row and what is known', () => {
    expect(() => finder.ofRow(unknown)).toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'UnknownType' }),
    )
    expect(() => finder.ofRow(unknown)).toThrow(
      'The row ["c1","0009_x"] does not belong to a known type: Customer (RowKey 0001_…), orders (RowKey 0002_…)',
    )
  })

  it('reads rows of other types as they are when asked to', () => {
    const types = union(Customer, { unknown: 'dynamic' })
    const lenient = new TypeFinder(types, checkEntityKey)
    expect(lenient.ofRow(unknown).codec.read(unknown).entity).toBeInstanceOf(DynamicEntity)
    expect(lenient.ofEntity(new DynamicEntity('c1', 'x'))).toBe(lenient.ofRow(unknown))
    expect(() => finder.ofEntity(new DynamicEntity('c1', 'x'))).toThrow(InputError)
  })

  it('recognizes the instances of a subclass by the nearest class', () => {
    class Big extends Customer {}
    const mapping = finder.ofEntity(new Big())
    expect(mapping).toBe(finder.ofEntity(customer('c1', 'x')))
  })

  it('recognizes a plain object by the row that it was read from, after any changes', () => {
    const order = codecOf(Order).read({ PartitionKey: 'c1', RowKey: '0002_00000001', status: 'x' })
    Object.assign(order, { total: 'no number', refundNo: 1 })
    expect(finder.ofEntity(order)).toBe(
      finder.ofEntity(
        codecOf(Order).read({ PartitionKey: 'c', RowKey: '0002_00000002', status: 'x' }),
      ),
    )
  })

  it('rejects objects that no type accepts, and says what the schema of the nearest type says', () => {
    const attempt = () => finder.ofEntity({ customerId: 'c1', orderNo: 'one', extra: 1 })
    expect(attempt).toThrow(InputError)
    expect(attempt).toThrow(
      'An object with { customerId, orderNo, extra } is not an entity of Customer | orders | refunds. It is most like orders (RowKey 0002_…), but orderNo: Invalid input: expected number, received string; extra: the model does not declare it.',
    )
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'UnknownEntityType',
        cause: expect.objectContaining({
          model: 'orders',
          issues: [
            { path: 'orderNo', message: expect.stringContaining('expected number') },
            { path: 'extra', message: 'the model does not declare it' },
          ],
        }),
      }),
    )
    expect(attempt).toThrow(expect.objectContaining({ cause: expect.any(SchemaError) }))
  })

  it('finds the nearest type by the members of an object, and then by its values', () => {
    const nearest = (entity: object) => () => finder.ofEntity(entity)
    expect(nearest({ customerId: 'c1', refundNo: 'x' })).toThrow(/most like refunds .* refundNo: /)
    expect(nearest({ customerId: 'c1', reason: 5 })).toThrow(/most like refunds .* reason: /)
    expect(nearest({ customerId: 'c1' })).toThrow(/most like orders .* but orderNo: [^;]*\.$/)
    expect(nearest({})).toThrow(/^An empty object is not an entity/)
  })

  it('names the classes of a union without models for plain objects', () => {
    const classes = new TypeFinder(union(Customer), checkEntityKey)
    expect(() => classes.ofEntity({ customerId: 'c1' })).toThrow(
      'An object with { customerId } is not an entity of Customer. Pass an instance of Customer.',
    )
  })

  it.each([null, undefined, 5, 'c1'])('rejects %o as an entity', (given) => {
    expect(() => finder.ofEntity(given as never)).toThrow(
      expect.objectContaining({ code: 'InvalidEntity' }),
    )
  })

  it('maps any row for a stored key, which does not tell the type', () => {
    const key = { partitionKey: 'c1', rowKey: '0002_00000001' }
    for (const target of [['c1', '0002_00000001'], key]) {
      expect(finder.ofKey(target).rules).toEqual([])
      expect(finder.ofKey(target).shape.isKey(key)).toBe(true)
    }
    const order = finder.ofRow({ PartitionKey: 'c1', RowKey: '0002_00000001' })
    expect(finder.ofKey({ customerId: 'c1', orderNo: 1 })).toBe(order)
  })

  it('rejects objects that fit several types, and names these by their discriminators', () => {
    const directory = new TypeFinder(union(User, Group), checkEntityKey)
    for (const method of ['ofEntity', 'ofKey'] as const) {
      expect(() => directory[method]({ id: 'x' })).toThrow(
        expect.objectContaining({
          code: 'AmbiguousEntityType',
          message:
            'An object with { id } fits User (EntityType User, RowKey self) and Group (EntityType Group, RowKey self). Give the type: batch().insert(User, …), Operation.insert(User, …), or the table of one type, ofType(User).',
        }),
      )
    }
    expect(() => directory.ofEntity({ id: 5 })).toThrow('is not an entity of User | Group.')
  })

  it('recognizes an object by the type that the caller passed last', () => {
    const directory = new TypeFinder(union(User, Group), checkEntityKey)
    const written = (object: object) =>
      directory.ofEntity(object).codec.write(object, undefined).row.text
    const entity = { id: 'x' }
    directory.assign(User, entity)
    expect(written(entity)).toContain('"EntityType":"User"')
    directory.assign(Group, entity)
    expect(written(entity)).toContain('"EntityType":"Group"')
    expect(directory.ofKey(entity).codec.keyOf(entity)).toEqual({
      partitionKey: 'x',
      rowKey: 'self',
    })
    expect(() => directory.assign(Order, entity)).toThrow(ModelError)
    expect(() => directory.assign(Order, entity)).toThrow(
      'orders: It is not a type of the union User | Group. Add it to the union, or open a table of it.',
    )
  })
})

describe('fitOf', () => {
  it('finds no issues in an object that fits the schema and has no other members', () => {
    const issuesOf = (entity: object) => fitOf(Order, entity)?.issues.length
    expect(issuesOf({ customerId: 'c1', orderNo: 1, etag: 'W/"1"' })).toBe(0)
    expect(issuesOf({ customerId: 'c1', orderNo: 1, extra: undefined })).toBe(0)
    expect(issuesOf({ customerId: 'c1', orderNo: 1, extra: 1 })).toBe(1)
    expect(issuesOf({ customerId: 'c1', orderNo: 'one' })).toBe(1)
  })

  it('does not treat a plain object as an instance of a class', () => {
    expect(fitOf(modelOf(Customer), { customerId: 'c1' })).toBeUndefined()
  })

  it('lists what keeps an object from being an entity', () => {
    expect(fitOf(Order, { customerId: 'c1', orderNo: 1 })).toEqual({ issues: [], undeclared: 0 })
    expect(fitOf(Order, { orderNo: 1, extra: 1 })).toMatchObject({
      issues: [{ path: 'customerId' }, { path: 'extra' }],
      undeclared: 1,
    })
  })
})

describe('holdsKeyOf', () => {
  it('accepts the properties of the key alone', () => {
    expect(holdsKeyOf(Order, { customerId: 'c1', orderNo: 1 })).toBe(true)
    expect(holdsKeyOf(Order, { customerId: 'c1' })).toBe(false)
    expect(holdsKeyOf(Order, { customerId: 'c1', orderNo: 1, total: 2 })).toBe(false)
  })
})
