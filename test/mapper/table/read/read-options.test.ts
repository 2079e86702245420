import { expect, it } from 'vitest'
import {
  checkResolve,
  checkTargets,
  MANY_OPTION_NAMES,
  READ_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/read/table-reader.ts'
import { invalidKey } from '../../../support/rejections.ts'

it('reads accept the options of every call and their own', () => {
  expect(READ_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'select', 'resolve']))
  expect(MANY_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'deadline', 'concurrency']))
})

it('rejects a resolver that is not a function', () => {
  expect(() => checkResolve(undefined, 'get')).not.toThrow()
  expect(() => checkResolve(() => 1, 'get')).not.toThrow()
  for (const wrong of [null, 'x', {}])
    expect(() => checkResolve(wrong, 'get')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
})

it('accepts any iterable of keys, and rejects other values', () => {
  for (const list of [[], new Set(), new Map().keys()]) {
    expect(() => checkTargets(list, 'getMany')).not.toThrow()
  }
  for (const wrong of [undefined, null, 7, {}]) {
    expect(() => checkTargets(wrong as never, 'getMany')).toThrow(invalidKey)
  }
})
