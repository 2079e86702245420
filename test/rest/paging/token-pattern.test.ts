import {
  continuationTokenPattern,
  parseContinuationToken,
  printContinuationToken,
} from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../support/any-text.ts'

const text = anyText({ minLength: 1 })
const part = fc.option(text, { nil: undefined })
const anyBase64 = fc.string({ unit: fc.constantFrom(...'WyIJL251ubA-_ ='), maxLength: 24 })
const whole = printContinuationToken({ nextPartitionKey: '1!8!U21pdGg-' })

describe('continuationTokenPattern', () => {
  it('R-144: matches every token that is printed', () => {
    fc.assert(
      fc.property(part, part, part, part, (key, nextRowKey, nextTableName, digest) => {
        const nextPartitionKey = key ?? (nextTableName === undefined ? 'p' : undefined)
        const token = { nextPartitionKey, nextRowKey, nextTableName, query: digest }
        expect(printContinuationToken(token)).toMatch(continuationTokenPattern)
        expect(printContinuationToken({ ...token, location: 'secondary' })).toMatch(
          continuationTokenPattern,
        )
      }),
    )
  })

  it('matches every text that can be parsed', () => {
    const anything = fc.oneof(
      fc.string(),
      anyBase64,
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    )
    fc.assert(
      fc.property(anything, (given) => {
        if (!continuationTokenPattern.test(given)) {
          expect(() => parseContinuationToken(given)).toThrow()
        }
      }),
    )
  })

  it.each([
    '',
    'W',
    '1!8!U21pdGg-',
    `${whole}\n`,
    ` ${whole}`,
    `${whole}=`,
    `${whole.slice(0, 8)}A${whole.slice(8)}${'A'.repeat((4 - (whole.length % 4)) % 4)}`,
    `${whole}é`,
    '~p',
    '~x123456',
    Buffer.from('{"nextPartitionKey":"a"}').toString('base64url'),
    '<script>',
  ])('R-144: does not match %j', (given) => {
    expect(continuationTokenPattern.test(given)).toBe(false)
  })

  it('gives the same result whenever it is used', () => {
    expect([1, 2, 3].map(() => continuationTokenPattern.test(whole))).toEqual([true, true, true])
    expect(continuationTokenPattern.flags).toBe('')
  })
})
