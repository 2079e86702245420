import { describe, expect, it } from 'vitest'
import {
  checkFilterName,
  isReservedWord,
  systemTypeOf,
} from '../../../packages/odata/src/filter/filter-name.ts'
import { invalidName } from '../../support/rejections.ts'

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
