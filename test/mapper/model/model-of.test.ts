import {
  type EntityClass,
  key,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
} from '@rowkey/mapper'
import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import type {
  MemberDecoratorName,
  MemberRule,
} from '../../../packages/mapper/src/model/member-rule.ts'
import {
  designEdmType,
  makerOf,
  modelFrom,
  systemMembers,
} from '../../../packages/mapper/src/model/model-of.ts'
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

class Player {
  lastName = ''
  firstName = ''
  age = 5
  note?: string
  shout = (): string => this.firstName
  get initials(): string {
    return this.firstName.charAt(0) + this.lastName.charAt(0)
  }
  whisper(): string {
    return this.firstName
  }
}

const keyRules: [string, MemberRule][] = [
  ['lastName', { decorators: ['PartitionKey'] }],
  ['firstName', { decorators: ['RowKey'] }],
]

function from(...rules: [string, MemberRule][]) {
  const members = new Map([...keyRules, ...rules])
  const metadata = { name: undefined, create: undefined, inheritsCreate: false, members }
  return modelFrom(Player, metadata, () => new Player(), new Player())
}

describe('modelFrom', () => {
  it('R-94: makes columns of the fields of a fresh instance, and not of functions', () => {
    expect(from().columns.map(({ property }) => property)).toEqual(expect.arrayContaining(['age']))
    expect(from().columns.map(({ property }) => property)).not.toContain('shout')
    expect(from().columns.map(({ property }) => property)).not.toContain('whisper')
  })

  it('makes a column of a getter that a decorator stands on, and of no other', () => {
    expect(from().columns.map(({ property }) => property)).not.toContain('initials')
    const model = from(['initials', { decorators: ['Property'] }])
    expect(model.columns.map(({ property }) => property)).toContain('initials')
    expect(model.computed).toEqual(['initials'])
  })

  it('prefers the type of a decorator to the declared type', () => {
    const rule: MemberRule = { decorators: ['Property'], type: 'String', designType: Date }
    expect(from(['age', rule]).columns.find(({ property }) => property === 'age')?.type).toBe(
      'String',
    )
  })

  it('leaves ignored members, ETag and Timestamp out of the columns', () => {
    const model = from(
      ['age', { decorators: ['Ignore'] }],
      ['tag', { decorators: ['ETag'] }],
      ['when', { decorators: ['Timestamp'] }],
    )
    expect(model).toMatchObject({ ignored: ['age'], etag: 'tag', timestamp: 'when' })
    const properties = model.columns.map(({ property }) => property)
    expect(properties.filter((each) => ['age', 'tag', 'when'].includes(each))).toEqual([])
  })
})

describe('design types', () => {
  describe('designEdmType', () => {
    it.each([
      [Boolean, 'Boolean'],
      [BigInt, 'Int64'],
      [Date, 'DateTime'],
      [DateTimeValue, 'DateTime'],
      [Uint8Array, 'Binary'],
      [Buffer, 'Binary'],
    ])('reads %o as %s', (designType, type) => {
      expect(designEdmType(designType)).toBe(type)
    })

    it.each([Number, String, Object, Array, Map, Symbol, undefined, null, 'Date', () => 0])(
      'returns nothing for %o',
      (designType) => {
        expect(designEdmType(designType)).toBeUndefined()
      },
    )
  })
})

/** The system members of a class with these decorators, each on the member after it. */
function find(...pairs: [MemberDecoratorName, string][]) {
  const rules = pairs.map(([name, member]): [string, MemberRule] => [
    member,
    { decorators: [name] },
  ])
  return systemMembers('Person', { members: new Map(rules) })
}

const keyMembers: [MemberDecoratorName, string][] = [
  ['PartitionKey', 'pk'],
  ['RowKey', 'rk'],
]

describe('systemMembers', () => {
  it('finds the keys, and the ETag and Timestamp if declared', () => {
    const bare = find(...keyMembers, ['Property', 'age'])
    expect(bare.partitionKey.properties).toEqual(['pk'])
    expect(bare.rowKey.properties).toEqual(['rk'])
    expect(bare).toMatchObject({ etag: undefined, timestamp: undefined })
    expect(find(...keyMembers, ['ETag', 'e'], ['Timestamp', 't'])).toMatchObject({
      etag: 'e',
      timestamp: 't',
    })
  })

  it('accepts a template instead of a member, and rejects both together', () => {
    const members = new Map<string, MemberRule>([['rk', { decorators: ['RowKey'] }]])
    const partitionKey = key`${'state'};${'city'}`
    expect(systemMembers('Person', { members, partitionKey }).partitionKey).toBe(partitionKey)
    expect(() => systemMembers('Person', { members, partitionKey, rowKey: partitionKey })).toThrow(
      /^Person.rk: @RowKey is on this member, but @Entity also has a template of the RowKey.*Keep one/,
    )
  })

  it.each(['PartitionKey', 'RowKey'] as const)('R-07: rejects a class without a %s', (missing) => {
    const rest = keyMembers.filter(([decorator]) => decorator !== missing)
    expect(() => find(...rest)).toThrow(ModelError)
    expect(() => find(...rest)).toThrow(
      `Person: The ${missing} is missing; every entity needs one. Put @${missing}() on`,
    )
  })

  it.each(['PartitionKey', 'RowKey', 'ETag', 'Timestamp'] as const)(
    'rejects two members with @%s',
    (decorator) => {
      const rest = keyMembers.filter(([other]) => other !== decorator)
      const call = () => find(...rest, [decorator, 'one'], [decorator, 'other'])
      expect(call).toThrow(ModelError)
      expect(call).toThrow(`Person.other: @${decorator} is on one and other.`)
    },
  )
})
