import { InputError } from '@rowkey/odata'
import { datedPolicyId } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkAccessPolicies } from '../../../packages/rest/src/access-policy/access-policy.ts'

describe('datedPolicyId', () => {
  it('R-76: is different each time, and contains its time', () => {
    const noon = Date.UTC(2026, 10, 20, 12)
    expect(datedPolicyId('support', noon)).toBe('support-20261120T120000000Z')
    expect(datedPolicyId('support', noon + 1)).toBe('support-20261120T120000001Z')
    expect(datedPolicyId('support')).toMatch(/^support-\d{8}T\d{9}Z$/)
  })

  it('accepts names of up to 44 characters', () => {
    expect(datedPolicyId('x'.repeat(44), 0)).toHaveLength(64)
  })

  it.each(['', 'x'.repeat(45), 7, undefined])('rejects the name %j', (name) => {
    expect(() => datedPolicyId(name as string, 0)).toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
  })

  it.each([Number.NaN, Infinity, 1e20])('rejects the time %d', (now) => {
    expect(() => datedPolicyId('support', now)).toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
  })
})

const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `p${i}` }))
const day = (date: number) => new Date(Date.UTC(2026, 10, date))

describe('checkAccessPolicies', () => {
  it.each([
    ['none', []],
    ['five', numbered(5)],
    ['an id of 64 characters', [{ id: 'x'.repeat(64) }]],
    ['everything', [{ id: 'all', start: day(1), expiry: day(2), permissions: 'duar' }]],
    ['an end before the start, which voids', [{ id: 'a', start: day(2), expiry: day(1) }]],
    ['no permission at all', [{ id: 'none', permissions: '' }]],
  ])('R-74: accepts %s', (_, policies) => {
    expect(() => checkAccessPolicies('people', policies)).not.toThrow()
  })

  it.each([
    ['six', numbered(6), 'at most 5'],
    ['an empty id', [{ id: '' }], '1 to 64'],
    ['an id of 65 characters', [{ id: 'x'.repeat(65) }], '1 to 64 characters'],
    ['the same id twice', [{ id: 'a' }, { id: 'a' }], 'The id "a" occurs twice'],
    [
      'an id that XML does not preserve',
      [{ id: 'a\u0000' }],
      'characters that XML preserves; got "a',
    ],
    ['a line break in an id', [{ id: 'a\nb' }], 'characters that XML preserves; got "a'],
    ['half a surrogate pair', [{ id: 'a\ud800' }], 'characters that XML preserves; got "a'],
    ['an unknown letter', [{ id: 'a', permissions: 'rw' }], "letters out of 'raud'"],
    ['a letter twice', [{ id: 'a', permissions: 'rr' }], 'each once'],
    ['no date', [{ id: 'a', expiry: new Date(Number.NaN) }], 'expiry'],
    ['text for a date', [{ id: 'a', start: '2026-01-01' as unknown as Date }], 'start'],
    ['no array', 'a' as unknown as [], 'array'],
  ])('R-74: rejects %s', (_, policies, rule) => {
    expect(() => checkAccessPolicies('people', policies)).toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
    expect(() => checkAccessPolicies('people', policies)).toThrow(InputError)
    expect(() => checkAccessPolicies('people', policies)).toThrow(rule)
  })

  it('rejects an unknown member, such as a key range', () => {
    const policy = { id: 'a', startPartitionKey: 'x' }
    expect(() => checkAccessPolicies('people', [policy])).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
