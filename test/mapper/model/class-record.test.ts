import { Entity, Ignore, ModelError, PartitionKey, Property, RowKey, StoreAs } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  addRule,
  findRecord,
  readMetadata,
  recordIn,
  recordMember,
  recordOf,
} from '../../../packages/mapper/src/model/class-record.ts'

describe('recordOf', () => {
  it('makes one record for each class, and none for its subclasses', () => {
    class Base {}
    class Derived extends Base {}
    const record = recordOf(Base)
    expect(recordOf(Base)).toBe(record)
    expect(findRecord(Base)).toBe(record)
    expect(findRecord(Derived)).toBeUndefined()
    expect(recordOf(Derived)).not.toBe(record)
  })

  it('keeps the record where standard decorators keep their metadata', () => {
    class Base {}
    const record = recordOf(Base)
    const metadata = (Base as unknown as Record<symbol, object>)[
      (Symbol as { metadata?: symbol }).metadata as symbol
    ]
    expect(recordIn(metadata as object)).toBe(record)
  })

  it('keeps the record under a registered symbol, which every copy of the package knows', () => {
    class Base {}
    const record = recordOf(Base)
    const metadata = (Base as unknown as Record<symbol, Record<symbol, unknown>>)[
      (Symbol as { metadata?: symbol }).metadata as symbol
    ]
    expect(metadata?.[Symbol.for('rowkey.record')]).toBe(record)
  })

  it('leaves the class without enumerable traces', () => {
    class Base {}
    recordOf(Base)
    expect(Object.keys(Base)).toEqual([])
  })
})

describe('addRule', () => {
  it('adds to the rules of the member', () => {
    class Base {}
    const record = recordOf(Base)
    addRule(record, 'email', { decorators: ['Property'] })
    addRule(record, 'email', { decorators: ['StoreAs'], storedName: 'cea' })
    expect([...record.members.keys()]).toEqual(['email'])
    expect(record.members.get('email')?.decorators).toEqual(['Property', 'StoreAs'])
  })
})

const rule = { decorators: ['Property'] as const }
const context = { kind: 'field', name: 'age', static: false, private: false }

describe('recordMember', () => {
  it('writes to the metadata of a standard decorator', () => {
    const metadata = {}
    recordMember(undefined, { ...context, metadata }, rule)
    expect(recordIn(metadata).members.get('age')).toEqual(rule)
  })

  it('treats a getter and its setter as one member', () => {
    const metadata = {}
    for (const kind of ['getter', 'setter']) {
      const named = { decorators: ['StoreAs'] as const, storedName: kind }
      recordMember(undefined, { ...context, kind, metadata }, named)
    }
    expect(recordIn(metadata).members.get('age')?.conflict).toBe(
      "@StoreAs gives it two stored names, 'setter' and 'getter'",
    )
  })

  it('waits for the first instance where the compiler gives no metadata', () => {
    class Person {}
    const initializers: ((this: object) => void)[] = []
    const addInitializer = (each: () => void) => initializers.push(each)
    recordMember(undefined, { ...context, addInitializer }, rule)
    expect(findRecord(Person)).toBeUndefined()
    initializers[0]?.call(new Person())
    expect(findRecord(Person)?.members.get('age')).toEqual(rule)
  })

  it('lets a subclass override its base class where the compiler gives no metadata', () => {
    class Person {}
    for (const storedName of ['base', 'own']) {
      const addInitializer = (each: (this: object) => void) => each.call(new Person())
      recordMember(undefined, { ...context, addInitializer }, { ...rule, storedName })
    }
    const age = findRecord(Person)?.members.get('age')
    expect([age?.storedName, age?.conflict]).toEqual(['own', undefined])
  })

  it('writes to the class of the prototype that a legacy decorator gets', () => {
    class Person {}
    recordMember(Person.prototype, 'age', rule)
    expect(findRecord(Person)?.members.get('age')?.decorators).toEqual(['Property'])
  })

  it.each([
    ['a static member', { ...context, static: true }],
    ['a private member', { ...context, private: true, name: '#age' }],
    ['a member named by a symbol', { ...context, name: Symbol('age') }],
  ])('rejects %s of a standard class', (_what, wrong) => {
    expect(() => recordMember(undefined, wrong, rule)).toThrow(ModelError)
    expect(() => recordMember(undefined, wrong, rule)).toThrow(
      /@Property .* public instance members/,
    )
  })

  it.each([
    ['one descriptor, as of the proposal of 2018', { kind: 'field', key: 'age', placement: 'own' }],
    ['nothing', undefined],
  ])('names the setting of the compiler when a decorator receives %s', (_what, target) => {
    expect(() => recordMember(target, undefined, rule)).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        message: expect.stringMatching(
          /^@Property was compiled neither as a standard nor as a legacy decorator\..*experimentalDecorators.*2023-11.*rowkey\/vite.*decorate\(\)/,
        ),
      }),
    )
  })

  it('rejects a static member and a symbol of a legacy class', () => {
    class Person {}
    expect(() => recordMember(Person, 'age', rule)).toThrow(/^Person\.age: @Property is on/)
    expect(() => recordMember(Person.prototype, Symbol('age'), rule)).toThrow(ModelError)
  })
})

class Sender {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @StoreAs('e') email = ''
  @Ignore() draft = ''
}

@Entity({ name: 'people', create: () => new Customer('x') })
class Customer extends Sender {
  @Property('Guid') override email = ''
  @Property() override draft = ''
  constructor(readonly source: string) {
    super()
  }
}

class Special extends Customer {}

describe('readMetadata', () => {
  it('reads every decorated member', () => {
    const { members, name, create } = readMetadata(Sender)
    expect([...members.keys()]).toEqual(['lastName', 'firstName', 'email', 'draft'])
    expect(name).toBeUndefined()
    expect(create).toBeUndefined()
  })

  it('R-94: adds the rules of a subclass to those of its base classes', () => {
    const { members } = readMetadata(Customer)
    expect(members.get('email')).toMatchObject({ storedName: 'e', type: 'Guid' })
    expect(members.get('draft')?.decorators).toEqual(['Property'])
    expect(members.get('lastName')?.decorators).toEqual(['PartitionKey'])
  })

  it('leaves the base class as it was', () => {
    expect(readMetadata(Sender).members.get('email')?.type).toBeUndefined()
    expect(readMetadata(Sender).name).toBeUndefined()
  })

  it("inherits the table's name, but not `create`", () => {
    expect(readMetadata(Customer).create).toBeTypeOf('function')
    expect(readMetadata(Special)).toMatchObject({
      name: 'people',
      create: undefined,
      inheritsCreate: true,
    })
  })

  it('finds nothing on a class without decorators', () => {
    expect(readMetadata(class {}).members.size).toBe(0)
  })
})
