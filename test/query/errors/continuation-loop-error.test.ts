import { InputError, isRowkeyError } from '@rowkey/odata'
import { ContinuationLoopError } from '@rowkey/query'
import { expect, it } from 'vitest'

it('is a RowkeyError but no InputError, since pages have been read', () => {
  const error = new ContinuationLoopError({ message: 'round', model: 'Customer' })
  expect(isRowkeyError(error)).toBe(true)
  expect(error).not.toBeInstanceOf(InputError)
  expect(error).toMatchObject({
    name: 'ContinuationLoopError',
    code: 'ContinuationLoop',
    model: 'Customer',
  })
})
