import { describe, expect, it } from 'vitest'
import { replaceEntity } from '../../../packages/local/src/operations/change-entity.ts'
import { before, call, stamp } from './entity-write.ts'

describe('replaceEntity', () => {
  it('R-45: keeps only the sent properties, with names in order', () => {
    const after = replaceEntity(call()).apply(before, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = replaceEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = replaceEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})
