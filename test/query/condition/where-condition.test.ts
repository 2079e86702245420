import { EntityProperty, filter, parseFilter, printFilter, rawFilter } from '@rowkey/odata'
import {
  type AnyField,
  Condition,
  dynamicQueryModel,
  eq,
  gt,
  type QueryShape,
  queryOf,
  startsWith,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  conditionFilter,
  filterNames,
  queryFields,
} from '../../../packages/query/src/condition/where-condition.ts'
import { invalidName, invalidQuery } from '../../support/rejections.ts'
import { type Customer, customerModel } from '../customer.ts'

const textOf = (condition: Parameters<typeof conditionFilter<QueryShape<Customer>>>[1]) =>
  printFilter(conditionFilter<QueryShape<Customer>>(customerModel, condition))

describe('conditionFilter', () => {
  it('R-164: makes the same filter from an expression, an object and a text', () => {
    const text = "PartitionKey eq 'Smith' and points gt 100L"
    expect(textOf((c) => c.lastName.eq('Smith').and(c.points.gt(100n)))).toBe(text)
    expect(textOf({ lastName: 'Smith', points: gt(100n) })).toBe(text)
    expect(textOf(parseFilter(text)!)).toBe(text)
  })

  it('accepts a bare Boolean and a filter node from the callback', () => {
    expect(textOf((c) => c.active)).toBe('active')
    expect(textOf((c) => c.active.not())).toBe('not (active)')
    expect(textOf(() => parseFilter('age gt 30')!)).toBe('age gt 30')
    expect(textOf((c) => c.active.or(parseFilter('age gt 30')!))).toBe('active or age gt 30')
  })

  it.each([undefined, null, true, 5, 'age gt 30', Symbol('x')])('rejects %o', (condition) => {
    expect(() => textOf(condition as never)).toThrow(invalidQuery)
    expect(() => textOf(condition as never)).toThrow(/condition on Customer/)
  })

  it.each([() => undefined, () => false, () => ({}), async () => ({})])(
    'rejects a callback that does not return a condition: %s',
    (callback) => {
      expect(() => textOf(callback as never)).toThrow(/Expected a condition/)
    },
  )
})

const matched = (match: object) => printFilter(conditionFilter(customerModel, match as never))
const untyped = (match: object) =>
  printFilter(conditionFilter(dynamicQueryModel('people'), match as never))

describe('conditionFilter of an object', () => {
  it('compares a bare value by eq, and joins all tests with and', () => {
    expect(matched({ lastName: 'Smith', points: gt(100n) })).toBe(
      "PartitionKey eq 'Smith' and points gt 100L",
    )
    expect(matched({ active: true })).toBe('active eq true')
    expect(matched({ lastName: eq('Smith'), firstName: startsWith('J') })).toBe(
      "PartitionKey eq 'Smith' and RowKey ge 'J' and RowKey lt 'K'",
    )
  })

  it('uses the type of an EntityProperty for an untyped property', () => {
    const id = EntityProperty.guid('c9da6455-213d-42c9-9a79-3e9149a57833')
    expect(untyped({ partitionKey: 'Smith', id, rating: gt(EntityProperty.double(5)) })).toBe(
      "PartitionKey eq 'Smith' and id eq guid'c9da6455-213d-42c9-9a79-3e9149a57833' and rating gt 5.0",
    )
  })

  it('never lets a value become part of the filter', () => {
    expect(matched({ lastName: "' or 1 eq 1 or '" })).toBe("PartitionKey eq ''' or 1 eq 1 or '''")
  })

  it('never lets a name become part of the filter', () => {
    expect(() => untyped({ 'age eq 1 or age': 2 })).toThrow(invalidName)
  })

  it('does not accept tests from JSON', () => {
    const request: object = JSON.parse('{"state":{"operator":"ne","operands":[""]}}')
    expect(() => matched(request)).toThrow(invalidQuery)
  })

  it.each([
    { age: undefined },
    { age: null },
    { lastName: 'Smith', unknown: 1 },
    { ssn: 'x' },
    {},
    [],
  ])('rejects %o', (match) => {
    expect(() => matched(match)).toThrow(invalidQuery)
  })
})

const secret = filter`age gt ${30} and not (ssn eq ${'123-45-6789'})`

describe('conditionFilter of stored names', () => {
  it('rejects an encrypted property, and does not show the operand', () => {
    expect(() => conditionFilter(customerModel, secret)).toThrow(invalidQuery)
    expect(() => conditionFilter(customerModel, secret)).toThrow(
      /^Conditions cannot use Customer\.ssn: It is encrypted\.$/,
    )
  })

  it('checks every way by which a filter gets into a query', () => {
    const query = queryOf<Customer>(customerModel)
    expect(() => query.where(secret)).toThrow(/encrypted/)
    expect(() => query.where((c) => c.lastName.eq('Smith').and(secret))).toThrow(/encrypted/)
    expect(() => query.where(() => secret)).toThrow(/encrypted/)
  })

  it('accepts other names, and raw text, which is the caller’s own', () => {
    expect(() => conditionFilter(customerModel, filter`age gt ${30} and active`)).not.toThrow()
    expect(() => conditionFilter(customerModel, rawFilter("ssn eq 'x'"))).not.toThrow()
    expect(() => conditionFilter(dynamicQueryModel('people'), secret)).not.toThrow()
  })
})

describe('filterNames', () => {
  it('finds every name once', () => {
    const tree = parseFilter("a eq 1 and (b or not (c lt 'x' or a gt 2)) and true")!
    expect([...filterNames(tree)]).toEqual(['a', 'b', 'c'])
  })

  it('reads raw text where that is possible, and rejects it otherwise', () => {
    expect([...filterNames(rawFilter('a eq 1'))]).toEqual(['a'])
    expect(() => filterNames(rawFilter('a add 1 eq 2'))).toThrow(invalidQuery)
  })
})

describe('fields of a callback', () => {
  it('rejects a callback that makes a condition and drops it, as && does', () => {
    const query = queryOf<Customer>(customerModel)
    const dropped = () => query.where((c) => c.lastName.eq('Smith') && c.age.gt(3))
    expect(dropped).toThrow(invalidQuery)
    expect(dropped).toThrow(
      /'PartitionKey' and dropped it, as && does\. Join conditions with \.and/,
    )
    const unused = () =>
      query.where((c) => {
        c.points.gt(1n)
        return c.age.in([1, 2])
      })
    expect(unused).toThrow(/'points' and dropped it/)
  })

  it('accepts a callback that uses all its conditions, in any order and depth', () => {
    const query = queryOf<Customer>(customerModel)
    const filter = query
      .where((c) => {
        const [one, two] = [c.age.between(1, 2), c.lastName.startsWith('S')]
        return two.or(one.not(), c.age.in([]), c.active.not()).and(one, c.rating.ne(1))
      })
      .compile().filter
    expect(filter).toContain('PartitionKey ge')
  })

  describe('queryFields', () => {
    it('has a field for each stored property', () => {
      const { age, lastName } = queryFields<{ age: number; lastName: string }>(customerModel)
      expect(age).toBeInstanceOf(Condition)
      expect(lastName).toBeInstanceOf(Condition)
    })

    it('rejects a property that is not stored, and lists those that are', () => {
      const fields = queryFields<{ selected: boolean }>(customerModel)
      expect(() => fields.selected).toThrow(invalidQuery)
      expect(() => fields.selected).toThrow(
        /Customer does not store a property 'selected'.*lastName, firstName/,
      )
    })

    it('rejects a property that conditions cannot use', () => {
      const fields = queryFields<{ ssn: string }>(customerModel)
      expect(() => fields.ssn).toThrow(/Conditions cannot use Customer\.ssn: It is encrypted\./)
    })

    it('has no own members that could hide a property', () => {
      const fields = queryFields<Record<string, unknown>>(dynamicQueryModel('people'))
      for (const name of ['name', 'column', 'constructor', 'toString', '__proto__']) {
        expect(fields[name]).toBeInstanceOf(Condition)
      }
    })

    it('lets consoles inspect it', () => {
      const fields: object = queryFields(customerModel)
      expect(Reflect.get(fields, Symbol.toStringTag)).toBeUndefined()
    })
  })

  const field = (property: string) =>
    queryFields<Record<string, unknown>>(customerModel)[property] as AnyField<unknown>

  describe('a field', () => {
    it.each([
      [field('age').eq(30), 'age eq 30'],
      [field('age').ne(30), 'age ne 30'],
      [field('age').gt(30), 'age gt 30'],
      [field('age').ge(30), 'age ge 30'],
      [field('age').lt(30), 'age lt 30'],
      [field('age').le(30), 'age le 30'],
      [field('age').between(18, 65), 'age ge 18 and age le 65'],
      [field('lastName').startsWith('Sm'), "PartitionKey ge 'Sm' and PartitionKey lt 'Sn'"],
      [field('active').eq(false), 'active eq false'],
    ])('makes the condition %#', (condition, text) => {
      expect(printFilter(condition.node)).toBe(text)
    })

    it('is a condition by itself when it is a Boolean', () => {
      expect(printFilter(field('active').node)).toBe('active')
      expect(printFilter(field('active').not().node)).toBe('not (active)')
      expect(printFilter(field('active').and(field('age').gt(30)).node)).toBe(
        'active and age gt 30',
      )
    })

    it('is a condition by itself when its type is unknown', () => {
      expect(printFilter(field('state').node)).toBe('state')
    })

    it('is not a condition by itself when it has another type', () => {
      const age = field('age')
      for (const use of [
        () => age.node,
        () => age.not(),
        () => age.and(),
        () => field('active').or(age),
      ]) {
        expect(use).toThrow(invalidQuery)
        expect(use).toThrow(/Customer\.age is stored as Int32.*c\.age\.eq/)
      }
    })
  })
})
