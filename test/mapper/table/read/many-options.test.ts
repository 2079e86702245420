import { EntityKeyError } from '@rowkey/odata'
import { expect, it } from 'vitest'
import {
  checkTargets,
  MANY_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/read/many-options.ts'

it('are those of a call, and how many at once', () => {
  expect(MANY_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'deadline', 'concurrency']))
})

it('keys come in anything that can be gone through', () => {
  for (const list of [[], new Set(), new Map().keys()]) {
    expect(() => checkTargets(list, 'getMany')).not.toThrow()
  }
  for (const wrong of [undefined, null, 7, {}]) {
    expect(() => checkTargets(wrong as never, 'getMany')).toThrow(EntityKeyError)
  }
})
