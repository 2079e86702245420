import { checkTableName } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('checkTableName', () => {
  it.each(['abc', 'People', 'a1b', 'tables1', 'a'.repeat(63)])('R-01: takes %s', (name) => {
    expect(() => checkTableName(name)).not.toThrow()
  })

  it.each([
    '',
    'ab',
    'a'.repeat(64),
    '1abc',
    'my-people',
    'my people',
    'übung',
    'abc\n',
    '\nabc',
    'abc/def',
    '..%2F',
    'tables',
    'Tables',
    'TABLES',
    '$batch',
  ])('R-01: refuses %j, and says the rule', (name) => {
    expect(() => checkTableName(name)).toThrow(
      expect.objectContaining({
        name: 'TableNameError',
        code: 'InvalidTableName',
        message: expect.stringMatching(/a letter and then 2 to 62 letters and digits/),
      }),
    )
  })

  it.each([undefined, null, 7, {}, ['abc'], Symbol('abc')])(
    'refuses %o, which is no string',
    (garbage) => {
      expect(() => checkTableName(garbage)).toThrow(
        expect.objectContaining({ code: 'InvalidTableName' }),
      )
    },
  )

  it('shows no more of a long name than helps', () => {
    expect(() => checkTableName('x'.repeat(100_000))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,300}$/) }),
    )
  })
})
