import { FilterSyntaxError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  readTokens,
  syntaxError,
  tokenizeFilter,
} from '../../../packages/odata/src/filter/tokenize-filter.ts'

describe('tokenizeFilter', () => {
  it('splits a text into tokens with their positions', () => {
    expect(tokenizeFilter(" (größe eq 'a''b')")).toEqual([
      { kind: 'open', position: 1 },
      { kind: 'word', word: 'größe', position: 2 },
      { kind: 'word', word: 'eq', position: 8 },
      { kind: 'literal', literal: { type: 'String', value: "a'b" }, position: 11 },
      { kind: 'close', position: 17 },
      { kind: 'end', position: 18 },
    ])
  })

  it('begins at a position, and counts from the start of the text', () => {
    expect(readTokens("'x eq 5", 3)).toEqual([
      { kind: 'word', word: 'eq', position: 3 },
      { kind: 'literal', literal: { type: 'Int32', value: 5 }, position: 6 },
    ])
  })

  it('returns only the end for a blank text', () => {
    expect(tokenizeFilter('  ')).toEqual([{ kind: 'end', position: 2 }])
  })

  it('reads a long string in linear time', () => {
    const text = `'${"''".repeat(200_000)}'`
    const [token] = tokenizeFilter(text)
    expect(token?.kind === 'literal' && String(token.literal.value).length).toBe(200_000)
  })

  it('splits at a comma, which only a function call has', () => {
    const kinds = tokenizeFilter("f(a,'b',c)").map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'comma')).toHaveLength(2)
  })

  it.each(['!', 'a = b', 'a;b', '\u00a0', '😀'])('rejects %j', (text) => {
    expect(() => tokenizeFilter(text)).toThrow(FilterSyntaxError)
  })
})

describe('syntaxError', () => {
  it('states the position, the text and the reason', () => {
    const error = syntaxError('aaa bbb', 4, 'unknown operator')
    expect(error).toBeInstanceOf(FilterSyntaxError)
    expect(error.message).toBe("Syntax error at position 4 in 'aaa bbb': unknown operator.")
    expect(error.position).toBe(4)
  })

  it('shows 60 UTF-16 units around the position', () => {
    const text = `${'a'.repeat(500)}!${'b'.repeat(500)}`
    expect(syntaxError(text, 500, 'x').message).toContain(`'${'a'.repeat(30)}!${'b'.repeat(29)}'`)
  })
})

/** Reads the only token of a text. */
function literalIn(text: string): unknown {
  const [token, end] = tokenizeFilter(text)
  expect(end?.kind).toBe('end')
  return token?.kind === 'literal' ? token.literal : token
}

describe('a number', () => {
  it.each([
    ['5', 'Int32', 5],
    ['-2147483648', 'Int32', -2_147_483_648],
    ['2147483648L', 'Int64', 2_147_483_648n],
    ['5L', 'Int64', 5n],
    ['5.0', 'Double', 5],
    ['5e2', 'Double', 500],
    ['5D', 'Double', 5],
    ['5.5f', 'Double', 5.5],
    ['-INF', 'Double', Number.NEGATIVE_INFINITY],
  ])('%s is an %s', (text, type, value) => {
    expect(literalIn(text)).toEqual({ type, value })
  })

  it('-0 is the Int32 0', () => {
    expect(Object.is((literalIn('-0') as { value: unknown }).value, 0)).toBe(true)
  })

  it.each([
    '-',
    '5.',
    '5LL',
    '5.5L',
    '5e',
    '1_000',
    '0x10',
    '9223372036854775808L',
    '5\u0663',
    '1e400',
    '-1e400',
    `${'9'.repeat(400)}D`,
  ])('is not %j', (text) => {
    expect(() => tokenizeFilter(text)).toThrow('this is not an Int32, Int64 or Double')
  })

  it.each(['2147483648', '-2147483649', '9'.repeat(400)])(
    'needs an L beyond 32 bits: %s',
    (text) => {
      expect(() => tokenizeFilter(text)).toThrow(
        'a whole number without an L has at most 32 bits; write a larger one as an Int64, such as 5000000000L',
      )
    },
  )

  it.each(['.5', '+5', '\u0663'])('does not begin with the first character of %j', (text) => {
    expect(() => tokenizeFilter(text)).toThrow('expected an operand or an operator')
  })
})

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

describe('a quoted literal', () => {
  it('has the type of its prefix', () => {
    expect(literalIn("'a'")).toEqual({ type: 'String', value: 'a' })
    expect(literalIn(`guid'${GUID.toUpperCase()}'`)).toEqual({ type: 'Guid', value: GUID })
    expect(literalIn("X'0aFF'")).toEqual({ type: 'Binary', value: Uint8Array.of(10, 255) })
    expect(literalIn("x'AABB'")).toEqual({ type: 'Binary', value: Uint8Array.of(170, 187) })
    expect(literalIn("binary''")).toEqual({ type: 'Binary', value: Uint8Array.of() })
    expect(JSON.stringify(literalIn("datetime'2012-11-10T03:04:05.1234567Z'"))).toBe(
      '{"type":"DateTime","value":"2012-11-10T03:04:05.1234567Z"}',
    )
  })

  it.each([
    "guid'a'",
    "X'0'",
    "X'0g'",
    "datetime'a'",
    "DateTime'2012-11-10T03:04:05Z'",
    "time'PT1H'",
  ])('is not %s', (text) => {
    expect(() => tokenizeFilter(text)).toThrow("'…' is not a literal; the prefixes are datetime")
  })
})
