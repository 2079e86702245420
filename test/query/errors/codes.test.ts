import * as odata from '@rowkey/odata'
import * as query from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryErrorCodes, queryInputError } from '../../../packages/query/src/errors/codes.ts'
import { invalidQuery } from '../../../packages/query/src/errors/invalid-query.ts'

describe('queryErrorCodes', () => {
  it.each(Object.entries(queryErrorCodes))('names an exported class for %s', (_, entry) => {
    expect({ ...odata, ...query }).toHaveProperty(entry.class)
  })

  it.each(Object.entries(queryErrorCodes))('says in sentences when %s occurs', (_, entry) => {
    expect(entry.when).toMatch(/^[A-Z`].*\.$/)
    expect(entry.fix).toMatch(/^[A-Z].*\.$/)
  })
})

describe('an error of a query', () => {
  it('is an InputError before anything is sent', () => {
    const details = { model: 'Customer', filter: 'age gt 3' }
    expect(queryInputError({ code: 'TableScan', message: 'm', details })).toMatchObject({
      name: 'InputError',
      code: 'TableScan',
      details,
    })
    expect(invalidQuery('m', { model: 'Customer' })).toMatchObject({ code: 'InvalidQuery' })
  })
})
