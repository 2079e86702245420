import {
  type Account,
  type DynamicRow,
  Entity,
  ETag,
  Ignore,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
  type Table,
  Timestamp,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import type { Projection } from '@rowkey/query'
import { describe, expectTypeOf, it } from 'vitest'

@Entity('people')
class Person {
  @PartitionKey() lastName!: string
  @RowKey() firstName?: string
  @StoreAs('cea') email?: string | null
  @Property('Int64') points?: bigint | null
  @Property('DateTime') readonly since?: Date
  @Property('Binary') photo?: Buffer
  @Property('String') state: 'open' | 'closed' = 'open'
  @Property() active = true
  @Property('Double') accessor rating = 1
  @Property('String') get initials(): string {
    return this.lastName
  }
  @Property('Int32') set age(value: number) {
    this.rating = value
  }
  @Ignore() cache = new Map<string, string>()
  @Ignore() private readonly secret = 'x'
  @ETag() etag?: string
  @Timestamp() modified?: Date
  whisper(): string {
    return this.secret
  }
}

class Refused {
  // @ts-expect-error a PartitionKey is a string
  @PartitionKey() number = 5
  // @ts-expect-error a RowKey is a string
  @RowKey() date = new Date()
  // @ts-expect-error a Date is not an Int64
  @Property('Int64') wrongType?: Date
  // @ts-expect-error a number is read back as a bigint
  @Property('Int64') numeric = 5
  // @ts-expect-error a Map needs a converter
  @Property() map = new Map<string, string>()
  // @ts-expect-error an object needs a converter
  @Property() @StoreAs('a') address = { city: 'Seattle' }
  // @ts-expect-error an ETag is a string
  @ETag() etag = 5
  // @ts-expect-error a Timestamp is a Date
  @Timestamp() timestamp = 'now'
  // @ts-expect-error a text is not a Double, on an accessor either
  @Property('Double') accessor text = 'x'
  // @ts-expect-error a text is not a Double, on a getter either
  @Property('Double') get computed(): string {
    return 'x'
  }
  // @ts-expect-error unknown type
  @Property('Int65') unknown = 5
  // @ts-expect-error a method is not a property
  @Property() method(): void {}
}

// @ts-expect-error the constructor needs an argument: say how instances are made
@Entity('people')
class NeedsCreate {
  constructor(readonly name: string) {}
}

@Entity({ name: 'people', create: () => new HasCreate('x') })
class HasCreate {
  constructor(readonly name: string) {}
}

// @ts-expect-error create makes something else
@Entity({ create: () => new Refused() })
class MakesOther {
  readonly other: number = 5
}

declare const account: Account
declare const people: Table<Person>

describe('decorators', () => {
  it('leave the class as it was declared', () => {
    expectTypeOf(new Person().points).toEqualTypeOf<bigint | null | undefined>()
    expectTypeOf(NeedsCreate).toBeConstructibleWith('x')
    expectTypeOf(HasCreate).toBeConstructibleWith('x')
    expectTypeOf(MakesOther).toBeConstructibleWith()
  })
})

describe('tables', () => {
  it('know their class', () => {
    expectTypeOf(account.table(Person)).toEqualTypeOf<Table<Person>>()
    expectTypeOf(account.table(HasCreate, 'other')).toEqualTypeOf<Table<HasCreate>>()
    expectTypeOf(account.table('people')).toEqualTypeOf<
      Table<DynamicEntity, DynamicEntity | DynamicRow>
    >()
    expectTypeOf(account.table('people')).toExtend<Table<DynamicEntity>>()
    expectTypeOf(people.get(['Smith', 'Jeff'])).resolves.toEqualTypeOf<Person>()
    expectTypeOf(people.find(['Smith', 'Jeff'])).resolves.toEqualTypeOf<Person | undefined>()
  })

  it('accept a key in both forms, and nothing else', () => {
    expectTypeOf(people.get).toBeCallableWith({ partitionKey: 'a', rowKey: 'b' })
    // @ts-expect-error one part is not a key
    void people.get(['Smith'])
    // @ts-expect-error keys are strings
    void people.get(['Smith', 5])
  })

  it('reject an ETag of an insert, and unknown options', () => {
    // @ts-expect-error an insert takes no ETag
    void people.insert(new Person(), { etag: '*' })
    // @ts-expect-error a misspelt option
    void people.merge(new Person(), { eatg: '*' })
  })

  it('narrow the rows of a projection, which can be merged and deleted but not replaced', () => {
    const row = {} as Projection<Person, 'points'>
    expectTypeOf(
      people
        .query()
        .resolve((_, rowKey) => rowKey)
        .first(),
    ).resolves.toEqualTypeOf<string>()
    expectTypeOf(
      people.get(['a', 'b'], { resolve: (_, __, ___, properties) => properties.size }),
    ).resolves.toEqualTypeOf<number>()
    expectTypeOf(people.find(['a', 'b'], { resolve: () => null })).resolves.toEqualTypeOf<
      null | undefined
    >()
    expectTypeOf(people.getMany([['a', 'b']])).resolves.toEqualTypeOf<(Person | undefined)[]>()
    expectTypeOf(people.query().select('points').first()).resolves.toEqualTypeOf<
      Projection<Person, 'points'>
    >()
    expectTypeOf(people.merge(row)).resolves.toEqualTypeOf<Projection<Person, 'points'>>()
    expectTypeOf(people.delete(row)).resolves.toEqualTypeOf<void>()
    // @ts-expect-error what was not read would be dropped
    void people.replace(row)
    // @ts-expect-error `cache` holds no Edm value
    people.query().select('cache')
  })

  it('narrow an entity that is read in part', () => {
    expectTypeOf(people.get(['a', 'b'])).resolves.toEqualTypeOf<Person>()
    const part = people.get(['a', 'b'], { select: ['points'] })
    expectTypeOf(part).resolves.toEqualTypeOf<Projection<Person, 'points'>>()
    const found = people.find(['a', 'b'], { select: ['points'] })
    expectTypeOf(found).resolves.toEqualTypeOf<Projection<Person, 'points'> | undefined>()
    // @ts-expect-error unknown property
    void people.get(['a', 'b'], { select: ['pionts'] })
    // @ts-expect-error no property at all
    void people.get(['a', 'b'], { select: [] })
    const untyped = account.table('people').get(['a', 'b'], { select: ['anything'] })
    expectTypeOf(untyped).resolves.toEqualTypeOf<DynamicEntity>()
  })

  it('accept any property name without a class', () => {
    const query = account.table('people').query()
    const smiths = query.where({ partitionKey: 'Smith', age: 5 })
    expectTypeOf(smiths.first()).resolves.toEqualTypeOf<DynamicEntity>()
    expectTypeOf(smiths.firstOrUndefined()).resolves.toEqualTypeOf<DynamicEntity | undefined>()
  })
})
