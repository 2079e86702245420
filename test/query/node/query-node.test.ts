import { comparison, literalOf, printFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { queryNode, withChange, withFilter } from '../../../packages/query/src/node/query-node.ts'
import { customerModel } from '../customer.ts'

const age = comparison('age', 'gt', literalOf(30))
const active = comparison('active', 'eq', literalOf(true))

describe('a query node', () => {
  it('is frozen at every step', () => {
    const steps = [queryNode(customerModel), withChange(queryNode(customerModel), { take: 5 })]
    for (const step of steps) expect(Object.isFrozen(step)).toBe(true)
  })

  it('has the scan policy of the caller, or the default', () => {
    expect(queryNode(customerModel).scans).toBe('tableRange')
    expect(queryNode(customerModel, 'none').scans).toBe('none')
  })

  it('joins filters, and leaves earlier nodes as they are', () => {
    const first = withFilter(queryNode(customerModel), age)
    const second = withFilter(first, active)
    expect(first.filter).toBe(age)
    expect(printFilter(second.filter!)).toBe('age gt 30 and active eq true')
  })
})
