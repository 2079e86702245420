import { InputError } from 'rowkey'
import { expect, it } from 'vitest'
import { cliErrorCodes, cliInputError } from '../../../packages/cli/src/errors/codes.ts'

it('makes an InputError with a code that docs/errors.md explains', () => {
  const error = cliInputError('MissingTarget', 'No target.')
  expect(error).toBeInstanceOf(InputError)
  expect(cliErrorCodes).toHaveProperty(String(error.code))
})
