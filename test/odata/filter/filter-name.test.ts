import { PropertyNameError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkFilterName,
  isReservedWord,
  systemTypeOf,
} from '../../../packages/odata/src/filter/filter-name.ts'

describe('checkFilterName', () => {
  it.each(['PartitionKey', 'Timestamp', 'TableName', 'größe', 'eq', '__proto__'])(
    'takes %s',
    (name) => {
      expect(() => checkFilterName(name)).not.toThrow()
    },
  )

  it.each(['true', 'false', 'null', 'and', 'or', 'not', 'NaN', 'INF'])(
    'refuses %s, and again',
    (name) => {
      expect(() => checkFilterName(name)).toThrow(PropertyNameError)
      expect(() => checkFilterName(name)).toThrow('means something else in a $filter')
      expect(isReservedWord(name)).toBe(true)
    },
  )
})

describe('systemTypeOf', () => {
  it('knows the types of the system properties and of no other', () => {
    expect(['PartitionKey', 'RowKey', 'Timestamp', 'x', 'toString'].map(systemTypeOf)).toEqual([
      'String',
      'String',
      'DateTime',
      undefined,
      undefined,
    ])
  })
})
