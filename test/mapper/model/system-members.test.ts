import { key, ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import type {
  MemberDecoratorName,
  MemberRule,
} from '../../../packages/mapper/src/model/member-rule.ts'
import { systemMembers } from '../../../packages/mapper/src/model/model-of.ts'

/** The system members of a class with these decorators, each on the member after it. */
function find(...pairs: [MemberDecoratorName, string][]) {
  const rules = pairs.map(([name, member]): [string, MemberRule] => [
    member,
    { decorators: [name] },
  ])
  return systemMembers('Person', { members: new Map(rules) })
}

const keys: [MemberDecoratorName, string][] = [
  ['PartitionKey', 'pk'],
  ['RowKey', 'rk'],
]

describe('systemMembers', () => {
  it('finds the keys, and the ETag and Timestamp if declared', () => {
    const bare = find(...keys, ['Property', 'age'])
    expect(bare.partitionKey.properties).toEqual(['pk'])
    expect(bare.rowKey.properties).toEqual(['rk'])
    expect(bare).toMatchObject({ etag: undefined, timestamp: undefined })
    expect(find(...keys, ['ETag', 'e'], ['Timestamp', 't'])).toMatchObject({
      etag: 'e',
      timestamp: 't',
    })
  })

  it('accepts a template instead of a member, and rejects both together', () => {
    const members = new Map<string, MemberRule>([['rk', { decorators: ['RowKey'] }]])
    const partitionKey = key`${'state'};${'city'}`
    expect(systemMembers('Person', { members, partitionKey }).partitionKey).toBe(partitionKey)
    expect(() => systemMembers('Person', { members, partitionKey, rowKey: partitionKey })).toThrow(
      /^Person.rk: @RowKey is on this member, but @Entity also has a template of the RowKey.*Keep one/,
    )
  })

  it.each(['PartitionKey', 'RowKey'] as const)('R-07: rejects a class without a %s', (missing) => {
    const rest = keys.filter(([decorator]) => decorator !== missing)
    expect(() => find(...rest)).toThrow(ModelError)
    expect(() => find(...rest)).toThrow(
      `Person: The ${missing} is missing; every entity needs one. Put @${missing}() on`,
    )
  })

  it.each(['PartitionKey', 'RowKey', 'ETag', 'Timestamp'] as const)(
    'rejects two members with @%s',
    (decorator) => {
      const rest = keys.filter(([other]) => other !== decorator)
      const call = () => find(...rest, [decorator, 'one'], [decorator, 'other'])
      expect(call).toThrow(ModelError)
      expect(call).toThrow(`Person.other: @${decorator} is on one and other.`)
    },
  )
})
