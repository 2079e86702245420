import { describe, expect, it } from 'vitest'
import {
  attemptsIn,
  MODIFY_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/write/modify-options.ts'

describe('the options of modify', () => {
  it('are those of any call, and how often to try', () => {
    expect(MODIFY_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'attempts']))
    expect(attemptsIn(undefined, 'modify')).toBe(10)
    expect(attemptsIn(3, 'modify')).toBe(3)
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null])(
    'refuse %j as how often to try',
    (attempts) => {
      expect(() => attemptsIn(attempts, 'modify of table people')).toThrow(
        expect.objectContaining({ code: 'InvalidOptionValue' }),
      )
      expect(() => attemptsIn(attempts, 'modify of table people')).toThrow(/attempts of modify/)
    },
  )
})
