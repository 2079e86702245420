import { expect, it } from 'vitest'
import { MANY_OPTION_NAMES } from '../../../packages/mapper/src/table/many-options.ts'

it('are those of a call, and how many at once', () => {
  expect(MANY_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'deadline', 'concurrency']))
})
