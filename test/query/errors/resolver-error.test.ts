import { InputError, isRowkeyError } from '@rowkey/odata'
import { ResolverError } from '@rowkey/query'
import { expect, it } from 'vitest'

it('is a RowkeyError but no InputError, since rows have been read', () => {
  const options = { model: 'people', partitionKey: 'a', rowKey: '"', cause: 'no error' }
  const error = new ResolverError(options)
  expect(isRowkeyError(error)).toBe(true)
  expect(error).not.toBeInstanceOf(InputError)
  expect(error).toMatchObject({
    ...options,
    name: 'ResolverError',
    code: 'ResolverFailed',
    message: 'The resolver threw on the row ["a","\\""] of people.',
  })
})
