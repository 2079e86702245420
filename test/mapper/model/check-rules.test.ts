import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../../packages/mapper/src/model/check-rules.ts'
import type { MemberRule } from '../../../packages/mapper/src/model/member-rule.ts'

const check = (members: Record<string, MemberRule>) =>
  checkRules('Person', new Map(Object.entries(members)))

describe('checkRules', () => {
  it('accepts one decorator on a member, and @Property beside @StoreAs', () => {
    expect(() => check({ pk: { decorators: ['PartitionKey'] } })).not.toThrow()
    expect(() =>
      check({ e: { decorators: ['Property', 'StoreAs'], storedName: 'x', type: 'Guid' } }),
    ).not.toThrow()
  })

  it.each([
    [
      'one member as both keys',
      { k: { decorators: ['PartitionKey', 'RowKey'] } },
      /^Person\.k: @PartitionKey and @RowKey/,
    ],
    [
      'an ignored property',
      { x: { decorators: ['Property', 'Ignore'] } },
      /^Person\.x: @Ignore and @Property cannot/,
    ],
    ['no stored name', { x: { decorators: ['StoreAs'] } }, /^Person\.x: @StoreAs needs the name/],
    [
      'two names',
      { x: { decorators: ['StoreAs'], storedName: 'a', conflict: 'It has two names' } },
      /^Person\.x: It has two names\. Keep one\.$/,
    ],
    [
      'an unknown Edm type',
      { x: { decorators: ['Property'], type: 'Int65' } },
      /^Person\.x: @Property\('Int65'\).*Use one of Binary, Boolean/,
    ],
  ])('rejects %s', (_what, members, message) => {
    const given = members as Record<string, MemberRule> // also with mistakes that do not compile
    expect(() => check(given)).toThrow(ModelError)
    expect(() => check(given)).toThrow(message)
  })

  it.each(['PartitionKey', 'RowKey', 'ETag', 'Timestamp', 'Ignore'] as const)(
    'R-98: rejects @StoreAs beside @%s',
    (decorator) => {
      const x: MemberRule = { decorators: ['StoreAs', decorator], storedName: 'y' }
      expect(() => check({ x })).toThrow(`Person.x: @StoreAs cannot be combined with @${decorator}`)
    },
  )
})
