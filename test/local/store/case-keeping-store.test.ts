import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CaseKeepingStore,
  markCase,
  readMarked,
} from '../../../packages/local/src/store/case-keeping-store.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

describe('CaseKeepingStore', () => {
  it('R-177: keeps tables apart whose names differ in case', async () => {
    const store = new CaseKeepingStore(new MemoryStore())
    expect(await store.createTable('a', 'People')).toBe(true)
    expect(await store.createTable('a', 'people')).toBe(true)
    expect(await store.createTable('a', 'People')).toBe(false)
    expect((await store.findTable('a', 'People'))?.name).toBe('People')
    expect(await store.findTable('a', 'PEOPLE')).toBeUndefined()
    expect([...(await store.tableNames('a'))].sort()).toEqual(['People', 'people'])
    expect(await store.dropTable('a', 'people')).toBe(true)
    expect(await store.tableNames('a')).toEqual(['People'])
  })

  it('reads every name that it marked', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(name, (text) => {
        expect(readMarked(markCase(text))).toBe(text)
      }),
    )
    expect(markCase('A-b^C')).toBe('^a-b^^^c')
  })
})
