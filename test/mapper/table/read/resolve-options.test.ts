import { expect, it } from 'vitest'
import {
  checkResolve,
  RESOLVE_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/read/resolve-options.ts'

it('are those of a call, select and resolve', () => {
  expect(RESOLVE_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'select', 'resolve']))
})

it('a resolver is a function, or there is none', () => {
  expect(() => checkResolve(undefined, 'get')).not.toThrow()
  expect(() => checkResolve(() => 1, 'get')).not.toThrow()
  for (const wrong of [null, 'x', {}])
    expect(() => checkResolve(wrong, 'get')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
})
