import { QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { resolveColumn, resolveFilterColumn } from '../../packages/query/src/resolve-column.ts'
import { customerModel } from './customer.ts'

describe('resolveColumn', () => {
  it('finds the stored name', () => {
    expect(resolveColumn(customerModel, 'customerEmailAddress').name).toBe('cea')
  })

  it('refuses an unknown property, naming the model, the property and the known ones', () => {
    const refused = () => resolveColumn(customerModel, 'lastname')
    expect(refused).toThrow(QueryError)
    expect(refused).toThrow(
      /^Customer stores no property 'lastname', so nothing can be asked about it\. It stores: lastName, firstName, /,
    )
  })

  it('lists nothing for a model without a list', () => {
    const model = { name: 'Nobody', column: () => undefined }
    expect(() => resolveColumn(model, 'age')).toThrow(/asked about it\.$/)
  })
})

describe('resolveFilterColumn', () => {
  it('finds what can be compared', () => {
    expect(resolveFilterColumn(customerModel, 'age').name).toBe('age')
  })

  it('refuses what cannot, and says why', () => {
    const refused = () => resolveFilterColumn(customerModel, 'ssn')
    expect(refused).toThrow(QueryError)
    expect(refused).toThrow('Customer.ssn cannot be in a condition: It is encrypted.')
  })
})
