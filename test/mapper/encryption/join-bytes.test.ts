import { describe, expect, it } from 'vitest'
import {
  fourBytes,
  joinBytes,
  withLength,
} from '../../../packages/mapper/src/encryption/join-bytes.ts'

describe('joinBytes', () => {
  it('puts pieces one after another', () => {
    expect(joinBytes(Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3))).toEqual(
      Uint8Array.of(1, 2, 3),
    )
    expect(joinBytes()).toEqual(new Uint8Array(0))
  })
})

describe('withLength', () => {
  it('puts four bytes of length before a piece', () => {
    expect(withLength(Uint8Array.of(7, 8))).toEqual(Uint8Array.of(0, 0, 0, 2, 7, 8))
    expect(withLength(new Uint8Array(0))).toEqual(Uint8Array.of(0, 0, 0, 0))
  })
})

describe('fourBytes', () => {
  it('has the highest byte first', () => {
    expect(fourBytes(0x01020304)).toEqual(Uint8Array.of(1, 2, 3, 4))
    expect(fourBytes(0xffffffff)).toEqual(Uint8Array.of(255, 255, 255, 255))
  })
})
