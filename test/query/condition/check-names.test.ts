import { filter, rawFilter } from '@rowkey/odata'
import { dynamicQueryModel, QueryError, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { checkNames } from '../../../packages/query/src/condition/check-names.ts'
import { type Customer, customerModel } from '../customer.ts'

const secret = filter`age gt ${30} and not (ssn eq ${'123-45-6789'})`

describe('checkNames', () => {
  it('refuses an encrypted property in a filter of stored names, and does not show the operand', () => {
    expect(() => checkNames(customerModel, secret)).toThrow(QueryError)
    expect(() => checkNames(customerModel, secret)).toThrow(
      /^Customer\.ssn cannot be in a condition: It is encrypted\.$/,
    )
  })

  it('looks into every way by which a filter gets into a query', () => {
    const query = queryOf<Customer>(customerModel)
    expect(() => query.where(secret)).toThrow(/encrypted/)
    expect(() => query.where((c) => c.lastName.eq('Smith').and(secret))).toThrow(/encrypted/)
    expect(() => query.where(() => secret)).toThrow(/encrypted/)
  })

  it('lets other names pass, and raw text, which is the own affair of whoever marks it so', () => {
    expect(() => checkNames(customerModel, filter`age gt ${30} and active`)).not.toThrow()
    expect(() => checkNames(customerModel, rawFilter("ssn eq 'x'"))).not.toThrow()
    expect(() => checkNames(dynamicQueryModel('people'), secret)).not.toThrow()
  })
})
