import { printFilter } from '@rowkey/odata'
import { QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { PropertyField } from '../../../packages/query/src/condition/property-field.ts'
import { resolveColumn } from '../../../packages/query/src/resolve-column.ts'
import { customerModel } from '../customer.ts'

const field = (property: string) =>
  new PropertyField(customerModel, resolveColumn(customerModel, property))

describe('PropertyField', () => {
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
  ])('gives the condition %#', (condition, text) => {
    expect(printFilter(condition.node)).toBe(text)
  })

  it('is a condition by itself when it is a Boolean', () => {
    expect(printFilter(field('active').node)).toBe('active')
    expect(printFilter(field('active').not().node)).toBe('not (active)')
    expect(printFilter(field('active').and(field('age').gt(30)).node)).toBe('active and age gt 30')
  })

  it('is a condition by itself when its type is not declared', () => {
    expect(printFilter(field('state').node)).toBe('state')
  })

  it('is no condition by itself when it is of another type', () => {
    const age = field('age')
    for (const use of [
      () => age.node,
      () => age.not(),
      () => age.and(),
      () => field('active').or(age),
    ]) {
      expect(use).toThrow(QueryError)
      expect(use).toThrow(/Customer\.age is stored as Int32.*c\.age\.eq/)
    }
  })
})
