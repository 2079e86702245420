import { decodeHex, encodeHex } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('encodeHex and decodeHex', () => {
  it('write bytes as digits in lower case, and read them back', () => {
    expect(encodeHex(Uint8Array.of(0, 10, 255))).toBe('000aff')
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeHex(encodeHex(bytes))).toEqual(bytes)
      }),
    )
  })

  it('read digits in either case, and nothing else', () => {
    expect(decodeHex('0aFF')).toEqual(Uint8Array.of(10, 255))
    expect(decodeHex('')).toEqual(new Uint8Array())
    for (const text of ['0', '0x', '0g', ' 00', '00\n']) expect(decodeHex(text)).toBeUndefined()
  })
})
