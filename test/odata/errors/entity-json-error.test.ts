import { EntityJsonError, InputError, RowkeyError } from '@rowkey/odata'
import { expect, it } from 'vitest'

it('EntityJsonError says in its name and code what was refused', () => {
  const cause = new SyntaxError('below')
  const error = new EntityJsonError({ message: 'why', cause })
  expect(error).toBeInstanceOf(InputError)
  expect(error).toBeInstanceOf(RowkeyError)
  expect(error).toMatchObject({ name: 'EntityJsonError', code: 'InvalidEntityJson', cause })
  expect(String(error)).toBe('EntityJsonError: why')
})
