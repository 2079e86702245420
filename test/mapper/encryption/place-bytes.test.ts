import { describe, expect, it } from 'vitest'
import { placeBytes } from '../../../packages/mapper/src/encryption/place-bytes.ts'

describe('placeBytes', () => {
  it('is both keys and the stored name, each with its length', () => {
    const bytes = placeBytes({ key: { partitionKey: 'é', rowKey: '' }, name: 'ab' })
    expect([...bytes]).toEqual([0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62])
  })

  it('differs where only the border between the keys does', () => {
    const at = (partitionKey: string, rowKey: string) =>
      placeBytes({ key: { partitionKey, rowKey }, name: 'n' })
    expect(at('ab', 'c')).not.toEqual(at('a', 'bc'))
  })
})
