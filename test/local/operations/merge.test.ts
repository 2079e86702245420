import { describe, expect, it } from 'vitest'
import { mergeEntity } from '../../../packages/local/src/operations/change-entity.ts'
import { decodedProperties } from '../../support/stored-row.ts'
import { before, call, stamp } from './entity-write.ts'

describe('mergeEntity', () => {
  it('R-45: merges the sent properties into the row, with names in order', () => {
    const after = mergeEntity(call()).apply(before, stamp)
    expect(
      Array.from(decodedProperties(after?.properties ?? []), ([name, { value }]) => [name, value]),
    ).toEqual([
      ['a', 2],
      ['b', 1],
      ['z', 0],
    ])
  })

  it('R-44: begins with an empty entity for a missing row', () => {
    const after = mergeEntity(call()).apply(undefined, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = mergeEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = mergeEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})
