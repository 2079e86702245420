import { Table, UnionTable, union } from '@rowkey/mapper'

import { describe, expect, it } from 'vitest'
import { type OpenRequest, openTable } from '../../../packages/mapper/src/account/open-table.ts'
import { Customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'
import { Order } from '../union/store.ts'

function open(request: Pick<OpenRequest, 'given'> & Partial<OpenRequest>) {
  const { service } = freshAccount()
  return openTable({ service, account: {}, options: {}, unionOptions: {}, ...request })
}

describe('openTable', () => {
  it('opens the table of a class or model, under its name or another', () => {
    expect(open({ given: Customer }).name).toBe('customers')
    expect(open({ given: Order, options: 'others' }).name).toBe('others')
    expect(open({ given: Order })).toBeInstanceOf(Table)
  })

  it('opens a table of several types, and one of entities without a declared class', () => {
    const store = open({ given: 'store', options: union(Order) })
    expect([store.name, store instanceof UnionTable]).toEqual(['store', true])
    expect(open({ given: 'store' })).not.toBeInstanceOf(UnionTable)
  })

  it('rejects unknown options', () => {
    for (const options of [{ scan: 'none' }, { name: 'others' }]) {
      expect(() => open({ given: 'store', options: options as never })).toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
    }
    const request = {
      given: 'store',
      options: union(Order),
      unionOptions: { scan: 'none' } as never,
    }
    expect(() => open(request)).toThrow(expect.objectContaining({ code: 'UnknownOption' }))
  })
})
