import { InputError, isRowkeyError } from '@rowkey/odata'
import { NoRowError } from '@rowkey/query'
import { expect, it } from 'vitest'

it('is a RowkeyError but not an InputError, since the query was valid', () => {
  const error = new NoRowError({ message: 'none', model: 'Customer', filter: undefined })
  expect(isRowkeyError(error)).toBe(true)
  expect(error).not.toBeInstanceOf(InputError)
  expect(error).toMatchObject({ name: 'NoRowError', code: 'NoRow', model: 'Customer' })
  expect(error.filter).toBeUndefined()
})
