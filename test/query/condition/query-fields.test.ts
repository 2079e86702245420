import { dynamicQueryModel, QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { PropertyField } from '../../../packages/query/src/condition/property-field.ts'
import { queryFields } from '../../../packages/query/src/condition/query-fields.ts'
import { customerModel } from '../customer.ts'

describe('queryFields', () => {
  it('has a field for each stored property', () => {
    const { age, lastName } = queryFields<{ age: number; lastName: string }>(customerModel)
    expect(age).toBeInstanceOf(PropertyField)
    expect(lastName).toBeInstanceOf(PropertyField)
  })

  it('refuses a property that is not stored, and lists those that are', () => {
    const fields = queryFields<{ selected: boolean }>(customerModel)
    expect(() => fields.selected).toThrow(QueryError)
    expect(() => fields.selected).toThrow(
      /Customer stores no property 'selected'.*lastName, firstName/,
    )
  })

  it('refuses a property that cannot be compared', () => {
    const fields = queryFields<{ ssn: string }>(customerModel)
    expect(() => fields.ssn).toThrow(/Customer\.ssn cannot be in a condition: It is encrypted\./)
  })

  it('has no members of its own that could hide a property', () => {
    const fields = queryFields<Record<string, unknown>>(dynamicQueryModel('people'))
    for (const name of ['name', 'column', 'constructor', 'toString', '__proto__']) {
      expect(fields[name]).toBeInstanceOf(PropertyField)
    }
  })

  it('lets consoles look at it', () => {
    const fields: object = queryFields(customerModel)
    expect(Reflect.get(fields, Symbol.toStringTag)).toBeUndefined()
  })
})
