import { InputError, isRowkeyError } from 'rowkey'
import { expect, it } from 'vitest'
import { invalidTarget } from '../../../packages/rowkey/src/targets/invalid-target.ts'

it('an invalid target is an InputError that names the target and every way out', () => {
  const error = invalidTarget('file:')
  expect(error).toBeInstanceOf(InputError)
  expect(isRowkeyError(error)).toBe(true)
  expect([error.name, error.code]).toEqual(['InputError', 'InvalidTarget'])
  expect(error.message).toMatch(/file:.*'memory:'.*connection string.*endpoint, credential/)
})
