import { InputError } from 'rowkey'
import { expect, it } from 'vitest'
import { CommandError } from '../../../packages/rowkey/src/command/command-error.ts'

it('a CommandError is an InputError with a name and a code of its own', () => {
  const error = new CommandError({ message: 'There is no command.' })
  expect(error).toBeInstanceOf(InputError)
  expect([error.name, error.code]).toEqual(['CommandError', 'InvalidCommand'])
})
