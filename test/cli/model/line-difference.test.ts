import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineDifference } from '../../../packages/cli/src/model/line-difference.ts'

it('lineDifference turns one text into the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const difference = lineDifference(before, after)
      const removed = difference.filter((line) => line.startsWith('-')).length
      const added = difference.filter((line) => line.startsWith('+')).length
      expect(before.length - removed).toBe(after.length - added)
      if (before.join() === after.join()) expect(difference).toEqual([])
    }),
  )
})
