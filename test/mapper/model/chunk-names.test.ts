import { describe, expect, it } from 'vitest'
import { chunkNames, storedNames } from '../../../packages/mapper/src/model/chunk-names.ts'

describe('chunkNames', () => {
  it('begins with the name itself and counts from 2', () => {
    const names = chunkNames('notes')
    expect(names.slice(0, 3)).toEqual(['notes', 'notes_2', 'notes_3'])
    expect(names).toHaveLength(16)
    expect(names.at(-1)).toBe('notes_16')
  })
})

describe('storedNames', () => {
  it('are several for a column that is stored in pieces', () => {
    const column = { property: 'n', name: 'notes', type: 'String' } as const
    expect(storedNames(column)).toEqual(['notes'])
    expect(storedNames({ ...column, chunked: true })).toEqual(chunkNames('notes'))
  })
})
