import type { EntityTarget } from '@rowkey/mapper'
import { EntityKeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isEntityTarget, toEntityKey } from '../../../packages/mapper/src/table/entity-target.ts'

describe('toEntityKey', () => {
  it('takes a pair and an object', () => {
    const key = { partitionKey: 'Smith', rowKey: '' }
    expect(toEntityKey(['Smith', ''])).toEqual(key)
    expect(toEntityKey(key)).toEqual(key)
    expect(toEntityKey(Object.assign(Object.create(key), { etag: 'x' }))).toEqual(key)
  })

  it.each([
    [undefined],
    [null],
    ['Smith'],
    [5],
    [[]],
    [['Smith']],
    [['Smith', 'Jeff', 'x']],
    [['Smith', 5]],
    [{}],
    [{ partitionKey: 'Smith' }],
    [{ partitionKey: 'Smith', rowKey: '\ud800' }],
  ])('R-07: refuses %j', (garbage) => {
    expect(() => toEntityKey(garbage as unknown as EntityTarget)).toThrow(EntityKeyError)
  })
})

describe('isEntityTarget', () => {
  it('tells a key from an entity', () => {
    expect(isEntityTarget(['a', 'b'])).toBe(true)
    expect(isEntityTarget({ partitionKey: 'a', rowKey: 'b' })).toBe(true)
    expect(isEntityTarget({ lastName: 'a', firstName: 'b' })).toBe(false)
    expect(isEntityTarget({ partitionKey: 'a' })).toBe(false)
    expect([undefined, null, 5, 'a'].some(isEntityTarget)).toBe(false)
  })
})
