import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import type { MemberRule } from '../../../packages/mapper/src/metadata/member-rule.ts'
import { checkRules } from '../../../packages/mapper/src/model/check-rules.ts'

const keys: Record<string, MemberRule> = {
  pk: { decorators: ['PartitionKey'] },
  rk: { decorators: ['RowKey'] },
}
const check = (members: Record<string, MemberRule>) =>
  checkRules('Person', new Map(Object.entries(members)))

describe('checkRules', () => {
  it('takes one key of each kind and any other members', () => {
    expect(() => check(keys)).not.toThrow()
    expect(() =>
      check({ ...keys, e: { decorators: ['Property', 'StoreAs'], storedName: 'x', type: 'Guid' } }),
    ).not.toThrow()
  })

  it.each([
    [
      'no PartitionKey',
      { rk: keys.rk },
      /^Person: No member is the PartitionKey.*@PartitionKey\(\)/,
    ],
    ['no RowKey', { pk: keys.pk }, /^Person: No member is the RowKey/],
    ['two PartitionKeys', { ...keys, x: keys.pk }, /^Person\.x: @PartitionKey stands on pk and x/],
    ['two RowKeys', { ...keys, x: keys.rk }, /^Person\.x: @RowKey stands on rk and x/],
    [
      'two ETags',
      { ...keys, a: { decorators: ['ETag'] }, b: { decorators: ['ETag'] } },
      /^Person\.b: @ETag/,
    ],
    [
      'two Timestamps',
      { ...keys, a: { decorators: ['Timestamp'] }, b: { decorators: ['Timestamp'] } },
      /^Person\.b: @Timestamp/,
    ],
    [
      'one member as both keys',
      { k: { decorators: ['PartitionKey', 'RowKey'] } },
      /^Person\.k: @PartitionKey and @RowKey/,
    ],
    [
      'an ignored property',
      { ...keys, x: { decorators: ['Property', 'Ignore'] } },
      /^Person\.x: @Ignore and @Property cannot/,
    ],
    [
      'an unknown Edm type',
      { ...keys, x: { decorators: ['Property'], type: 'Int65' } },
      /^Person\.x: @Property\('Int65'\).*Use one of Binary, Boolean/,
    ],
  ])('refuses %s', (_what, members, message) => {
    const given = members as Record<string, MemberRule> // also with mistakes that do not compile
    expect(() => check(given)).toThrow(ModelError)
    expect(() => check(given)).toThrow(message)
  })

  it.each(['PartitionKey', 'RowKey', 'ETag', 'Timestamp', 'Ignore'] as const)(
    'R-98: refuses @StoreAs beside @%s',
    (decorator) => {
      const x: MemberRule = { decorators: ['StoreAs', decorator], storedName: 'y' }
      expect(() => check({ ...keys, x })).toThrow(
        `Person.x: @StoreAs cannot stand beside @${decorator}`,
      )
    },
  )
})
