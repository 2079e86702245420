import { modelOf } from '@rowkey/mapper'
import { printFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  queryModelOf,
  typeFilter,
} from '../../../../packages/mapper/src/table/read/query-model-of.ts'
import { Customer } from '../../customer.ts'
import { Login } from '../../model/events.ts'

describe('queryModelOf', () => {
  const model = queryModelOf(modelOf(Customer))

  it('finds every stored property under its stored name and type', () => {
    expect(model.name).toBe('Customer')
    expect(model.column('lastName')).toEqual({
      property: 'lastName',
      name: 'PartitionKey',
      type: 'String',
    })
    expect(model.column('firstName')?.name).toBe('RowKey')
    expect(model.column('modified')).toMatchObject({ name: 'Timestamp', type: 'DateTime' })
    expect(model.column('customerEmailAddress')?.name).toBe('cea')
    expect(model.column('points')?.type).toBe('Int64')
  })

  it.each(['etag', 'selected', 'greet', 'cea', 'toString', 'PartitionKey'])(
    'finds no property %s',
    (property) => {
      expect(model.column(property)).toBeUndefined()
    },
  )

  it('is made once for each class', () => {
    expect(queryModelOf(modelOf(Customer))).toBe(model)
    expect(model.properties).toContain('points')
  })
})

describe('typeFilter', () => {
  it('selects the rows with the mark of a type', () => {
    const filter = typeFilter(modelOf(Login))
    expect(filter && printFilter(filter)).toBe("EntityType eq 'Login'")
    expect(typeFilter(modelOf(Customer))).toBeUndefined()
  })
})
