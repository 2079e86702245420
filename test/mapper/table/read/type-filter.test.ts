import { modelOf } from '@rowkey/mapper'
import { printFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { typeFilter } from '../../../../packages/mapper/src/table/read/type-filter.ts'
import { Customer } from '../../customer.ts'
import { Login } from '../../model/events.ts'

describe('typeFilter', () => {
  it('asks for the mark of a type', () => {
    const filter = typeFilter(modelOf(Login))
    expect(filter && printFilter(filter)).toBe("EntityType eq 'Login'")
    expect(typeFilter(modelOf(Customer))).toBeUndefined()
  })
})
