import { EntityProperty, PropertyNameError, printFilter } from '@rowkey/odata'
import { dynamicQueryModel, eq, gt, QueryError, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { matchFilter } from '../../../packages/query/src/condition/query-match.ts'
import { customerModel } from '../customer.ts'

const filter = (match: object) => printFilter(matchFilter(customerModel, match))
const untyped = (match: object) => printFilter(matchFilter(dynamicQueryModel('people'), match))

describe('matchFilter', () => {
  it('takes a bare value for eq, and joins all with and', () => {
    expect(filter({ lastName: 'Smith', points: gt(100n) })).toBe(
      "PartitionKey eq 'Smith' and points gt 100L",
    )
    expect(filter({ active: true })).toBe('active eq true')
    expect(filter({ lastName: eq('Smith'), firstName: startsWith('J') })).toBe(
      "PartitionKey eq 'Smith' and RowKey ge 'J' and RowKey lt 'K'",
    )
  })

  it('names the type of an untyped property by an EntityProperty', () => {
    const id = EntityProperty.guid('c9da6455-213d-42c9-9a79-3e9149a57833')
    expect(untyped({ partitionKey: 'Smith', id, rating: gt(EntityProperty.double(5)) })).toBe(
      "PartitionKey eq 'Smith' and id eq guid'c9da6455-213d-42c9-9a79-3e9149a57833' and rating gt 5.0",
    )
  })

  it('keeps a value data, whatever it holds', () => {
    expect(filter({ lastName: "' or 1 eq 1 or '" })).toBe("PartitionKey eq ''' or 1 eq 1 or '''")
  })

  it('keeps a name from becoming more than a name', () => {
    expect(() => untyped({ 'age eq 1 or age': 2 })).toThrow(PropertyNameError)
  })

  it('does not take words from JSON', () => {
    const request: object = JSON.parse('{"state":{"operator":"ne","operands":[""]}}')
    expect(() => filter(request)).toThrow(QueryError)
  })

  it.each([
    { age: undefined },
    { age: null },
    { lastName: 'Smith', nobody: 1 },
    { ssn: 'x' },
    {},
    [],
  ])('refuses %o', (match) => {
    expect(() => filter(match)).toThrow(QueryError)
  })
})
