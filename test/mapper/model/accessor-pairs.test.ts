import {
  decorate,
  Entity,
  ETag,
  Ignore,
  key,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Base {
  @PartitionKey() a = ''
  @RowKey() b = ''
}

describe('checkAccessors', () => {
  it('rejects a getter and a setter without a decorator, and names both alternatives', () => {
    class Person extends Base {
      get name(): string {
        return this.a
      }
      set name(value: string) {
        this.a = value
      }
    }
    expect(() => modelOf(Person)).toThrow(ModelError)
    expect(() => modelOf(Person)).toThrow(
      'Person.name: It is a getter and setter of Person without a decorator, so it would be neither stored nor read. Put @Property() or @Ignore() on one of them, or call decorate(Person, { name: Ignore() }).',
    )
  })

  it('rejects an accessor field without a decorator', () => {
    class Person extends Base {
      accessor name = ''
    }
    expect(() => modelOf(Person)).toThrow(/^Person\.name: It is a getter and setter/)
  })

  it('names the base class of an inherited pair, which a subclass can ignore from outside', () => {
    class Named {
      get name(): string {
        return 'x'
      }
      set name(value: string) {
        value.trim()
      }
    }
    class Person extends Named {
      @PartitionKey() a = ''
      @RowKey() b = ''
    }
    class Known extends Person {}
    expect(() => modelOf(Person)).toThrow(
      /^Person\.name: It is a getter and setter of Named .*decorate\(Person, \{ name: Ignore\(\) \}\)/,
    )
    decorate(Known, { name: Ignore() })
    expect(modelOf(Known).ignored).toEqual(['name'])
  })

  it('accepts pairs with a decorator, or in a key, and pairs that a subclass replaces', () => {
    class Parent extends Base {
      #name = ''
      get hidden(): string {
        return this.#name
      }
      set hidden(value: string) {
        this.#name = value
      }
    }
    @Entity({ partitionKey: key`${'half'}` })
    class Person {
      #values: Record<string, string> = {}
      @RowKey() b = ''
      get half(): string {
        return this.#values.half ?? ''
      }
      set half(value: string) {
        this.#values.half = value
      }
      @StoreAs('n') get name(): string {
        return this.#values.name ?? ''
      }
      set name(value: string) {
        this.#values.name = value
      }
      get tag(): string {
        return this.#values.tag ?? ''
      }
      @ETag() set tag(value: string) {
        this.#values.tag = value
      }
      @Property() accessor age = 1
      @Ignore() accessor cache = 1
    }
    class Child extends Parent {
      override get hidden(): string {
        return 'only read'
      }
    }
    expect(modelOf(Person).columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['n', 'age']),
    )
    expect(modelOf(Child).columns).toEqual([])
  })

  it('accepts getters without a setter, setters without a getter, and methods', () => {
    class Person extends Base {
      get initials(): string {
        return this.a.charAt(0)
      }
      set both(value: string) {
        this.a = value
      }
      greet(): string {
        return this.a
      }
      static get table(): string {
        return 'people'
      }
      static set table(value: string) {
        value.trim()
      }
    }
    expect(modelOf(Person).columns).toEqual([])
  })
})
