import { type Change, insertEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import { checkChangeSet } from '../../../packages/rest/src/transaction/check-change-set.ts'
import { contoso } from '../people.ts'

const insert = (rowKey: string, partitionKey = 'Smith', table = 'people'): Change => ({
  operation: insertEntity,
  input: { table, key: { partitionKey, rowKey }, body: '{}' },
})

const many = (count: number) => Array.from({ length: count }, (_, index) => insert(`row ${index}`))

describe('checkChangeSet', () => {
  it.each([1, 100])('R-53: accepts %i changes', (count) => {
    expect(() => checkChangeSet('people', many(count), contoso)).not.toThrow()
  })

  it.each([
    ['no change', [], undefined, /empty/],
    ['101 changes', many(101), 100, /101 changes/],
    ['two partitions', [insert('a'), insert('b', 'Jones')], 1, /PartitionKey "Jones"/],
    ['two tables', [insert('a'), insert('b', 'Smith', 'orders')], 1, /table "orders"/],
    ['an entity twice', [insert('a'), insert('b'), insert('a')], 2, /Changes 0 and 2/],
  ])('R-53: rejects %s, and says which change', (_, changes, index, says) => {
    expect(() => checkChangeSet('people', changes, contoso)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'InvalidBatch',
        details: index === undefined ? {} : { index },
        message: expect.stringMatching(says),
      }),
    )
  })

  it.each([undefined, null, 7, {}, [null], [{}], [{ operation: insertEntity }], [insert('a'), 7]])(
    'rejects %o, which is not a list of changes',
    (changes) => {
      expect(() => checkChangeSet('people', changes as Change[], contoso)).toThrow(
        expect.objectContaining({ code: 'InvalidBatch' }),
      )
    },
  )

  it('leaves its rules to the service when configured, except for what cannot be sent', () => {
    const lenient = withChecks(contoso, { changeSets: 'by the service' })
    expect(() => checkChangeSet('people', many(101), lenient)).not.toThrow()
    expect(() => checkChangeSet('people', [insert('a'), insert('a')], lenient)).not.toThrow()
    expect(() => checkChangeSet('people', [], lenient)).toThrow(/empty/)
    expect(() => checkChangeSet('people', [{}] as Change[], lenient)).toThrow(/Change 0/)
  })

  it('distinguishes rows by case', () => {
    expect(() => checkChangeSet('people', [insert('a'), insert('A')], contoso)).not.toThrow()
  })
})
