import { describe, expect, it } from 'vitest'
import { decodeHeader, encodeHeader } from '../../../packages/mapper/src/encryption/key-ring.ts'

describe('encodeHeader', () => {
  it('is the version, the algorithm, the length of the key id, and the key id', () => {
    expect([...encodeHeader('AES-256-GCM', 'k2')]).toEqual([1, 1, 2, 0x6b, 0x32])
    expect([...encodeHeader('HMAC-SHA-256', 'k2')]).toEqual([1, 2, 2, 0x6b, 0x32])
  })
})

describe('decodeHeader', () => {
  it('reads what encodeHeader writes, whatever follows', () => {
    const id = 'x'.repeat(255)
    const bytes = Uint8Array.of(...encodeHeader('AES-256-GCM', id), 9, 9)
    expect(decodeHeader('AES-256-GCM', bytes)).toEqual({ keyId: id, length: 258 })
  })

  it.each<[string, number[]]>([
    ['nothing', []],
    ['another version', [2, 1, 1, 0x6b]],
    ['another algorithm', [1, 2, 1, 0x6b]],
    ['a key id that is cut', [1, 1, 2, 0x6b]],
    ['an empty key id', [1, 1, 0]],
    ['a control character in the key id', [1, 1, 2, 0x6b, 0x0a]],
    ['no ASCII in the key id', [1, 1, 1, 0xe9]],
    ['no length', [1, 1]],
  ])('finds none in %s', (_what, bytes) => {
    expect(decodeHeader('AES-256-GCM', Uint8Array.from(bytes))).toBeUndefined()
  })
})
