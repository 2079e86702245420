import {
  aFunction,
  checkValue,
  milliseconds,
  oneOf,
  type Rule,
  rule,
  showingText,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const messageOf = (value: unknown, broken: Rule) => {
  try {
    checkValue(value, broken, 'delay', 'retry')
  } catch (error) {
    return (error as Error).message
  }
  return expect.fail('the value was accepted')
}

describe('wholeNumber', () => {
  it.each([1, 30_000, 2 ** 31 - 1])('accepts %d', (value) => {
    expect(checkValue(value, wholeNumber(), 'delay', 'retry')).toBe(value)
  })

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined])(
    'rejects %o, and names the option and the place',
    (value) => {
      expect(() => checkValue(value, wholeNumber(), 'delay', 'retry')).toThrow(
        expect.objectContaining({
          code: 'InvalidOptionValue',
          message: expect.stringContaining(
            'delay of retry must be a whole number from 1 to 2147483647; got ',
          ),
          details: { option: 'delay' },
        }),
      )
    },
  )

  it('accepts a range of its own', () => {
    const own = wholeNumber(0, 2 ** 32)
    expect([0, 2 ** 32].every(own.accepts)).toBe(true)
    expect([-1, 2 ** 32 + 1].some(own.accepts)).toBe(false)
    expect(messageOf(-1, own)).toContain('from 0 to 4294967296')
  })
})

describe('oneOf', () => {
  it('lists the choices', () => {
    expect(oneOf('a').text).toBe("'a'")
    expect(oneOf('a', 'b').text).toBe("'a' or 'b'")
    expect(oneOf('a', 'b', false).text).toBe("'a', 'b' or false")
  })

  it('accepts the choices only', () => {
    const choice = oneOf('a', false)
    expect(['a', false].every(choice.accepts)).toBe(true)
    expect(['b', 'false', 0, null, ['a']].some(choice.accepts)).toBe(false)
  })

  it('shows the text of a wrong choice', () => {
    expect(messageOf('c', oneOf('a', 'b'))).toBe("delay of retry must be 'a' or 'b'; got \"c\".")
  })
})

describe('withMethods', () => {
  it('accepts an object with all methods, also of its class', () => {
    const budget = withMethods('a RetryBudget', 'spend', 'earn')
    class Budget {
      spend() {}
      earn() {}
    }
    expect(budget.accepts(new Budget())).toBe(true)
    for (const value of [null, {}, 5, { spend: () => {} }, { spend: 1, earn: 2 }]) {
      expect(budget.accepts(value)).toBe(false)
    }
  })
})

describe('a rule', () => {
  it('accepts booleans, functions and milliseconds', () => {
    expect([true, false].every(trueOrFalse.accepts)).toBe(true)
    expect([0, 'true', null].some(trueOrFalse.accepts)).toBe(false)
    expect(aFunction.accepts(() => {})).toBe(true)
    expect(aFunction.accepts({})).toBe(false)
    expect([0, 1.5].every(milliseconds.accepts)).toBe(true)
    expect([-1, Number.NaN, Number.POSITIVE_INFINITY, '1', null].some(milliseconds.accepts)).toBe(
      false,
    )
  })

  it('shows only the kind of a value that may be secret', () => {
    const never = rule('something else', () => false)
    expect(messageOf('AccountKey=c2VjcmV0', never)).toBe(
      'delay of retry must be something else; got a text.',
    )
    expect(messageOf({ key: 'c2VjcmV0' }, never)).toContain('got a value of type object')
    expect(messageOf(['c2VjcmV0'], never)).toContain('got an array')
    expect(messageOf(() => 'c2VjcmV0', never)).toContain('got a value of type function')
    expect(messageOf(Symbol('c2VjcmV0'), never)).toContain('got a value of type symbol')
    expect(messageOf(5n, never)).toContain('got 5')
    expect(messageOf(null, never)).toContain('got null')
    expect(messageOf('C:/data', showingText(never))).toContain('got "C:/data"')
  })
})
