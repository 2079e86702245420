import {
  COMPARISON_OPERATORS,
  countComparisons,
  type FilterNode,
  MAX_COMPARISONS,
  parseFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkFilterName,
  isReservedWord,
  systemTypeOf,
} from '../../../packages/odata/src/filter/filter-node.ts'
import { invalidName } from '../../support/rejections.ts'

describe('COMPARISON_OPERATORS', () => {
  it('are the six operators of the service', () => {
    expect([...COMPARISON_OPERATORS].sort()).toEqual(['eq', 'ge', 'gt', 'le', 'lt', 'ne'])
  })
})

describe('countComparisons', () => {
  it.each([
    ['A eq 1', 1],
    ['Flag', 0],
    ['true', 0],
    ['not (A eq 1)', 1],
    ['A eq 1 and (B eq 2 or not (C eq 3 and D eq 4)) and Flag', 4],
  ])('R-27: of %s is %d', (text, count) => {
    expect(countComparisons(parseFilter(text) as FilterNode)).toBe(count)
  })

  it('R-27: is the number of comparisons that the service documents', () => {
    expect(MAX_COMPARISONS).toBe(15)
  })
})

describe('checkFilterName', () => {
  it.each(['PartitionKey', 'Timestamp', 'TableName', 'größe', 'eq', '__proto__'])(
    'accepts %s',
    (name) => {
      expect(() => checkFilterName(name)).not.toThrow()
    },
  )

  it.each(['true', 'false', 'null', 'and', 'or', 'not', 'NaN', 'INF'])(
    'rejects %s, also the second time',
    (name) => {
      expect(() => checkFilterName(name)).toThrow(invalidName)
      expect(() => checkFilterName(name)).toThrow(`"${name}" has another meaning in a $filter`)
      expect(isReservedWord(name)).toBe(true)
    },
  )
})

describe('systemTypeOf', () => {
  it('returns the types of the system properties only', () => {
    expect(['PartitionKey', 'RowKey', 'Timestamp', 'x', 'toString'].map(systemTypeOf)).toEqual([
      'String',
      'String',
      'DateTime',
      undefined,
      undefined,
    ])
  })
})
