import { describe, expect, it } from 'vitest'
import { BTree, compareText } from '../../../packages/local/src/store/memory-store.ts'

describe('BTree', () => {
  it('keeps keys in the order of UTF-16 units', () => {
    const keys = ['b', '\uffff', 'a\u0000z', '😀', 'a', '']
    const tree = new BTree<string, number>(
      keys.map((key, at) => [key, at]),
      compareText,
    )
    expect([...tree.keys()]).toEqual(['', 'a', 'a\u0000z', 'b', '😀', '\uffff'])
  })
})
