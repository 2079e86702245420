import {
  type EntityClass,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { makerOf } from '../../../packages/mapper/src/model/model-of.ts'
import { Customer } from '../customer.ts'

describe('modelOf', () => {
  it('is the same frozen model every time', () => {
    const model = modelOf(Customer)
    expect(modelOf(Customer)).toBe(model)
    expect(Object.isFrozen(model)).toBe(true)
    expect(Object.isFrozen(model.columns)).toBe(true)
    expect(Object.isFrozen(model.columns[0])).toBe(true)
  })

  it('rejects a class without decorators, which the compiler cannot see', () => {
    class Plain {
      id = ''
      name = ''
    }
    expect(() => modelOf(Plain)).toThrow(
      "Plain: The class has no decorators. Put @Entity('people') on it, and @PartitionKey() and @RowKey() on two of its properties",
    )
  })

  it('contains everything that the decorators declare', () => {
    const model = modelOf(Customer)
    expect(model).toMatchObject({
      name: 'customers',
      class: Customer,
      title: 'Customer',
      etag: 'etag',
      timestamp: 'modified',
      ignored: ['selected'],
      computed: [],
    })
    expect(model.partitionKey.properties).toEqual(['lastName'])
    expect(model.rowKey.properties).toEqual(['firstName'])
    expect(model.columns.find(({ property }) => property === 'points')).toEqual({
      property: 'points',
      name: 'points',
      type: 'Int64',
    })
    expect(model.columns.map(({ name }) => name).sort()).toEqual(
      ['account', 'active', 'age', 'cea', 'photo', 'points', 'rating', 'since'].sort(),
    )
  })

  it('R-94: maps what a class inherits', () => {
    class Special extends Customer {
      @Property('Int32') discount = 5
    }
    const names = modelOf(Special).columns.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['discount', 'cea', 'points']))
    expect(modelOf(Customer).columns.map(({ name }) => name)).not.toContain('discount')
  })

  it('does not compile other classes', () => {
    class Person {
      @PartitionKey() lastName = ''
      @RowKey() firstName = ''
    }
    expect(modelOf(Person)).not.toBe(modelOf(Customer))
  })

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['text', 'Customer'],
    ['an instance', new Customer()],
  ])('rejects %s', (_what, garbage) => {
    const given = garbage as unknown as EntityClass<object>
    expect(() => modelOf(given)).toThrow(ModelError)
    expect(() => modelOf(given)).toThrow(/needs a class, a model from defineEntity or a name/)
  })

  it('R-102: names the class whose constructor needs arguments, and the alternative', () => {
    class Employee {
      @PartitionKey() id: string
      @RowKey() rowKey = ''
      constructor(given: { id: string }) {
        this.id = given.id
      }
    }
    expect(() => modelOf(Employee)).toThrow(/^Employee: .*@Entity\(\{ name, create/)
  })
})

class Person {
  name = 'x'
}
const metadata = { name: 'people', create: undefined, inheritsCreate: false, members: new Map() }

describe('makerOf', () => {
  it('R-102: makes instances by the constructor, without arguments', () => {
    const { create, sample } = makerOf(Person, metadata)
    expect(create()).toBeInstanceOf(Person)
    expect(create()).not.toBe(sample)
  })

  it('makes instances with create if the class has it', () => {
    const create = () => Object.assign(new Person(), { name: 'made' })
    expect(makerOf(Person, { ...metadata, create }).sample).toEqual({ name: 'made' })
  })

  it('keeps the error of a constructor as the cause', () => {
    const cause = new RangeError('no')
    class Broken {
      constructor() {
        throw cause
      }
    }
    expect(() => makerOf(Broken, metadata)).toThrow(expect.objectContaining({ cause }))
  })

  it('rejects a create that makes something else', () => {
    const create = () => ({ name: 'x' })
    expect(() => makerOf(Person, { ...metadata, create })).toThrow(ModelError)
  })

  it('rejects an attempt to make a base class in the place of its subclass', () => {
    const inherited = { ...metadata, inheritsCreate: true }
    expect(() => makerOf(Person, inherited)).toThrow(/Give this class an @Entity of its own/)
  })
})
