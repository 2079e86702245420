import { printFilter } from '@rowkey/odata'
import { type AnyField, Condition, dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryFields } from '../../../packages/query/src/condition/query-fields.ts'
import { invalidQuery } from '../../support/rejections.ts'
import { customerModel } from '../customer.ts'

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
    expect(printFilter(field('active').and(field('age').gt(30)).node)).toBe('active and age gt 30')
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
