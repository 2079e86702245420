import {
  type EdmValue,
  EntityProperty,
  type FilterNode,
  filter,
  parseFilter,
  rawFilter,
} from '@rowkey/odata'
import {
  type AnyField,
  anyOf,
  type BooleanField,
  between,
  bindQuery,
  type ComparableField,
  type DynamicShape,
  dynamicQueryModel,
  eq,
  type FullPage,
  gt,
  type Operand,
  type Projection,
  type QueryField,
  type QueryModel,
  type QueryOptions,
  type QueryPage,
  type QueryShape,
  type QuerySource,
  queryOf,
  type StringField,
  startsWith,
} from '@rowkey/query'
import { describe, expectTypeOf, it } from 'vitest'

class Customer {
  lastName!: string
  firstName!: string
  state?: 'open' | 'closed'
  age?: number
  points?: bigint | null
  active?: boolean
  readonly since?: Date
  photo?: Uint8Array
  tags?: string[]
  address?: { city: string }
  mixed?: string | number
  greet(): string {
    return this.firstName
  }
}

declare const model: QueryModel
declare const source: QuerySource<Customer>
const query = bindQuery(model, source)

describe('QueryShape', () => {
  it('has only the properties that can be stored', () => {
    expectTypeOf<QueryShape<Customer>>().toEqualTypeOf<{
      lastName: string
      firstName: string
      state: 'open' | 'closed'
      age: number
      points: bigint
      active: boolean
      readonly since: Date
      photo: Uint8Array
      mixed: string | number
    }>()
  })

  it('has every name for an undeclared table', () => {
    expectTypeOf<QueryShape<DynamicShape>>().toEqualTypeOf<Record<string, EdmValue>>()
  })
})

describe('QueryField', () => {
  it('offers the comparisons that the type of the property allows', () => {
    expectTypeOf<QueryField<string>>().toEqualTypeOf<StringField>()
    expectTypeOf<QueryField<number>>().toEqualTypeOf<ComparableField<number>>()
    expectTypeOf<QueryField<bigint>>().toEqualTypeOf<ComparableField<bigint>>()
    expectTypeOf<QueryField<Date>>().toEqualTypeOf<ComparableField<Date>>()
    expectTypeOf<QueryField<Uint8Array>>().toEqualTypeOf<ComparableField<Uint8Array>>()
    expectTypeOf<QueryField<boolean>>().toEqualTypeOf<BooleanField>()
    expectTypeOf<QueryField<string | number>>().toEqualTypeOf<AnyField<string | number>>()
  })

  it('accepts values of the same type, and typed values for undeclared properties', () => {
    expectTypeOf<Operand<'open' | 'closed'>>().toEqualTypeOf<'open' | 'closed'>()
    expectTypeOf<Operand<Buffer>>().toEqualTypeOf<Uint8Array>()
    expectTypeOf<Operand<EdmValue>>().toEqualTypeOf<EdmValue | EntityProperty>()
  })
})

describe('the callback form', () => {
  it('accepts operands of the type of the property', () => {
    query.where((c) => c.lastName.eq('Smith').and(c.points.gt(100n), c.age.between(18, 65)))
    query.where((c) => c.active)
    query.where((c) => c.active.eq(false).or(c.active.ne(true)))
    query.where((c) => c.active.not().or(c.since.lt(new Date(0))))
    query.where((c) => c.state.eq('open').and(c.photo.eq(Buffer.of(1))))
  })

  it('rejects everything else', () => {
    // @ts-expect-error a number property is not compared with text
    query.where((c) => c.age.gt('30'))
    // @ts-expect-error a bigint property is not compared with a number
    query.where((c) => c.points.gt(100))
    // @ts-expect-error unknown state
    query.where((c) => c.state.eq('opne'))
    // @ts-expect-error null is never stored
    query.where((c) => c.lastName.eq(null))
    // @ts-expect-error only text begins with a prefix
    query.where((c) => c.age.startsWith('3'))
    // @ts-expect-error a Boolean is not greater than another
    query.where((c) => c.active.gt(false))
    // @ts-expect-error only a Boolean is a condition by itself
    query.where((c) => c.age)
    // @ts-expect-error unknown property
    query.where((c) => c.lastname.eq('Smith'))
    // @ts-expect-error a method is not stored
    query.where((c) => c.greet.eq('Smith'))
    // @ts-expect-error an array is not stored
    query.where((c) => c.tags.eq('Smith'))
    // @ts-expect-error ! makes a boolean of a condition
    query.where((c) => !c.active)
    // @ts-expect-error the condition is not given back
    query.where((c) => {
      c.age.gt(30)
    })
  })
})

describe('one of some values', () => {
  it('accepts values of the type of the property', () => {
    query.where((c) => c.age.in([18, 21]).or(c.state.in(['open', 'closed'])))
    query.where((c) => c.points.in([1n]).and(c.since.in([new Date(0)]), c.photo.in([Buffer.of(1)])))
    query.where({ state: anyOf(['open']), age: anyOf([18, 21]), points: anyOf([1n]) })
  })

  it('rejects everything else', () => {
    // @ts-expect-error unknown state
    query.where((c) => c.state.in(['opne']))
    // @ts-expect-error nor in the object
    query.where({ state: anyOf(['opne']) })
    // @ts-expect-error a value alone is not a list
    query.where((c) => c.lastName.in('Smith'))
    // @ts-expect-error null is never stored
    query.where((c) => c.age.in([null]))
  })
})

describe('a filter as text', () => {
  it('accepts every Edm value as an operand', () => {
    query.where(filter`a eq ${'x'} and b eq ${1} or c eq ${1n} and d eq ${true}`)
    query.where(
      filter`a eq ${new Date(0)} or b eq ${Buffer.of(1)} or c eq ${EntityProperty.guid('')}`,
    )
    query.where(rawFilter('a add 1 eq 2'))
    expectTypeOf(filter`a eq 1`).toEqualTypeOf<FilterNode>()
  })

  it('rejects everything else', () => {
    // @ts-expect-error null is never stored
    filter`a eq ${null}`
    // @ts-expect-error nor is undefined
    filter`a eq ${undefined}`
    // @ts-expect-error an array is not an Edm value
    filter`a eq ${['x']}`
    // @ts-expect-error a text is not a template
    filter('a eq 1')
    // @ts-expect-error a text is not marked as raw
    query.where('a eq 1')
  })
})

describe('filterLocally', () => {
  it('tests whole rows, and keeps their type', () => {
    expectTypeOf(query.filterLocally((c) => c.greet() === 'Ann').toArray()).resolves.toEqualTypeOf<
      Customer[]
    >()
    query.filterLocally({ age: gt(30) }).filterLocally(filter`age gt ${30}`)
    query.select('age').filterLocally(({ age }) => age === 30)
  })

  it('rejects everything else', () => {
    // @ts-expect-error a row without lastName
    query.select('age').filterLocally(({ lastName }) => lastName === 'Smith')
    // @ts-expect-error a promise is not a Boolean
    query.filterLocally(async () => true)
    // @ts-expect-error a number property is not compared with text
    query.filterLocally({ age: '30' })
  })
})

describe('the object form', () => {
  it('accepts values and comparisons of the type of the property', () => {
    query.where({ lastName: 'Smith', points: gt(100n), active: true })
    query.where({ lastName: startsWith('Sm'), age: between(18, 65), state: eq('open') })
    query.where({ since: gt(new Date(0)), photo: Buffer.of(1) })
  })

  it('rejects everything else', () => {
    // @ts-expect-error a number property is not compared with text
    query.where({ age: '30' })
    // @ts-expect-error nor by a word
    query.where({ age: gt('30') })
    // @ts-expect-error unknown property
    query.where({ lastname: 'Smith' })
    // @ts-expect-error undefined is not an operand
    query.where({ lastName: undefined })
    // @ts-expect-error only text begins with a prefix
    query.where({ age: startsWith('3') })
    // @ts-expect-error the ends of a range have one type
    between(1, 'a')
    // @ts-expect-error null is never stored
    eq(null)
    // @ts-expect-error a text that is blank parses to no filter
    query.where(parseFilter(''))
  })
})

describe('the rows', () => {
  it('are entities', () => {
    expectTypeOf(query.toArray()).resolves.toEqualTypeOf<Customer[]>()
    const one = query.where({ age: 1 }).take(1).pageSize(1).prefetch(false)
    expectTypeOf(one.first()).resolves.toEqualTypeOf<Customer>()
    expectTypeOf(one.firstOrUndefined()).resolves.toEqualTypeOf<Customer | undefined>()
    expectTypeOf(one.count()).resolves.toEqualTypeOf<number>()
    expectTypeOf(query.byPage().next()).resolves.toExtend<
      IteratorResult<QueryPage<Customer>, void>
    >()
    expectTypeOf(query.page({ size: 1 })).resolves.toEqualTypeOf<FullPage<Customer>>()
    expectTypeOf(query.resolve(() => 1).page({ size: 1, token: undefined })).resolves.toEqualTypeOf<
      FullPage<number>
    >()
    expectTypeOf<FullPage<Customer>>().toEqualTypeOf<{
      readonly items: Customer[]
      readonly next?: string | undefined
    }>()
    // @ts-expect-error a page has a size
    void query.page({ token: 'x' })
    // @ts-expect-error a token is a text
    void query.page({ size: 1, token: 5 })
  })

  it('are narrowed by the last select', () => {
    const projected = query.select('lastName', 'points').take(1)
    expectTypeOf(projected.first()).resolves.toEqualTypeOf<
      Projection<Customer, 'lastName' | 'points'>
    >()
    expectTypeOf<Projection<Customer, 'points'>['points']>().toEqualTypeOf<
      bigint | null | undefined
    >()
    expectTypeOf<Projection<Customer, 'points'>>().not.toHaveProperty('age')
    expectTypeOf(query.select('age').select('points').toArray()).resolves.toEqualTypeOf<
      Projection<Customer, 'points'>[]
    >()
  })

  it('can still be filtered by properties that are not selected', () => {
    query.select('points').where((c) => c.age.gt(30))
  })

  it('reject an empty selection, and properties that are not stored', () => {
    // @ts-expect-error name one at least
    query.select()
    // @ts-expect-error unknown property
    query.select('lastname')
    // @ts-expect-error a method is not stored
    query.select('greet')
  })
})

describe('rows that are handed to a function', () => {
  it('have the type of the rows, and are passed with a signal', () => {
    const done = query.forEach((row, signal) => {
      expectTypeOf(row).toEqualTypeOf<Customer>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
    })
    expectTypeOf(done).resolves.toEqualTypeOf<void>()
    void query.select('points').forEach((row) => {
      expectTypeOf(row).toEqualTypeOf<Projection<Customer, 'points'>>()
    })
  })

  it('are passed to functions only, and with known options', () => {
    // @ts-expect-error a function is needed
    void query.forEach('row')
    // @ts-expect-error unknown option
    void query.forEach(() => {}, { atOnce: 2 })
  })
})

describe('rows that are made of others', () => {
  const names = query.resolve((lastName, rowKey, timestamp, properties, etag) => {
    expectTypeOf(lastName).toEqualTypeOf<string>()
    expectTypeOf(rowKey).toEqualTypeOf<string>()
    expectTypeOf(timestamp).toEqualTypeOf<Date | undefined>()
    expectTypeOf(properties.get('age')).toEqualTypeOf<EntityProperty | undefined>()
    expectTypeOf(etag).toEqualTypeOf<string | undefined>()
    return lastName.length > 0 ? lastName : null
  })

  it('have the type that the resolver gives', () => {
    expectTypeOf(names.toArray()).resolves.toEqualTypeOf<(string | null)[]>()
    expectTypeOf(names.where({ age: 3 }).take(1).first()).resolves.toEqualTypeOf<string | null>()
  })

  it('keep it under select, on either side', () => {
    expectTypeOf(names.select('age').first()).resolves.toEqualTypeOf<string | null>()
    expectTypeOf(
      query
        .select('age')
        .resolve(() => 5)
        .first(),
    ).resolves.toEqualTypeOf<number>()
  })

  it('require a function that returns them', () => {
    // @ts-expect-error a resolver is a function
    query.resolve('name')
    // @ts-expect-error PartitionKey is a string
    query.resolve((partitionKey: number) => partitionKey)
  })
})

describe('several queries at once', () => {
  it('accept the conditions of where, and have the same rows', () => {
    const both = query.parallel({ ranges: [{ lastName: 'a' }, (c) => c.lastName.eq('b')] })
    expectTypeOf(both.first()).resolves.toEqualTypeOf<Customer>()
    expectTypeOf(
      query.inPartitions(['a'], { order: 'arrival' }).first(),
    ).resolves.toEqualTypeOf<Customer>()
  })

  it('reject invalid ranges and options', () => {
    // @ts-expect-error unknown property
    query.parallel({ ranges: [{ surname: 'a' }] })
    // @ts-expect-error unknown order
    query.inPartitions(['a'], { order: 'random' })
    // @ts-expect-error unknown option
    query.inPartitions(['a'], { conccurency: 2 })
    // @ts-expect-error a PartitionKey is text
    query.inPartitions([1])
  })
})

describe('a table without a class', () => {
  interface Row {
    readonly cells: Map<string, unknown>
  }
  const untyped = bindQuery(dynamicQueryModel('people'), {} as QuerySource<Row>)

  it('offers every name and every operator', () => {
    untyped.where((c) => c.age!.gt(30).and(c.name!.startsWith('S'), c.active!))
    untyped.where({ partitionKey: 'Smith', rating: gt(EntityProperty.double(5)) })
    queryOf(dynamicQueryModel('people')).where({ partitionKey: 'Smith', age: gt(30) })
  })

  it('keeps the type of its rows under select', () => {
    expectTypeOf(untyped.select('age').toArray()).resolves.toEqualTypeOf<Row[]>()
  })

  it('rejects values without an Edm type', () => {
    // @ts-expect-error an object is not stored
    untyped.where({ age: { value: 30 } })
    // @ts-expect-error null is never stored
    untyped.where({ age: null })
  })
})

describe('the options of a run', () => {
  interface CallOptions extends QueryOptions {
    readonly tries?: number
  }
  const tried = bindQuery(model, {} as QuerySource<Customer, CallOptions>)

  it('are those of the source', () => {
    void tried.where({ age: 1 }).toArray({ tries: 3, timeout: 500 })
    tried.select('age').byPage({ tries: 3, continuationToken: 'x' })
    void tried.select('age').page({ tries: 3, size: 5 })
    // @ts-expect-error this source takes no tries
    void query.page({ tries: 3, size: 5 })
    // @ts-expect-error this source takes no tries
    void query.toArray({ tries: 3 })
  })
})
