import {
  continuationTokenPattern,
  parseContinuationToken,
  printContinuationToken,
} from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const part = fc.option(fc.string({ unit: 'binary', minLength: 1 }), { nil: undefined })
const anyBase64 = fc.string({ unit: fc.constantFrom(...'WyIJL251ubA-_ ='), maxLength: 24 })

describe('continuationTokenPattern', () => {
  it('R-144: fits every token that is printed', () => {
    fc.assert(
      fc.property(part, part, part, part, (key, nextRowKey, nextTableName, query) => {
        const nextPartitionKey = key ?? (nextTableName === undefined ? 'p' : undefined)
        const token = { nextPartitionKey, nextRowKey, nextTableName, query }
        expect(printContinuationToken(token)).toMatch(continuationTokenPattern)
        expect(printContinuationToken({ ...token, location: 'secondary' })).toMatch(
          continuationTokenPattern,
        )
      }),
    )
  })

  it('fits whatever text can be read as one', () => {
    const text = fc.oneof(
      fc.string(),
      anyBase64,
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    )
    fc.assert(
      fc.property(text, (given) => {
        if (!continuationTokenPattern.test(given)) {
          expect(() => parseContinuationToken(given)).toThrow()
        }
      }),
    )
  })

  const whole = printContinuationToken({ nextPartitionKey: '1!8!U21pdGg-' })

  it.each([
    '',
    'W',
    '1!8!U21pdGg-',
    `${whole}\n`,
    ` ${whole}`,
    `${whole}=`,
    `${whole.slice(0, 8)}A${whole.slice(8)}${'A'.repeat((4 - (whole.length % 4)) % 4)}`,
    `${whole}é`,
    Buffer.from('{"nextPartitionKey":"a"}').toString('base64url'),
    '<script>',
  ])('R-144: refuses %j', (text) => {
    expect(continuationTokenPattern.test(text)).toBe(false)
  })

  it('gives the same answer whenever it is asked', () => {
    expect([1, 2, 3].map(() => continuationTokenPattern.test(whole))).toEqual([true, true, true])
    expect(continuationTokenPattern.flags).toBe('')
  })
})
