import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, encodeText } from '../../../packages/mapper/src/encryption/byte-text.ts'
import { anyText } from '../../support/any-text.ts'

describe('encodeText', () => {
  it('is UTF-8, a byte order mark included', () => {
    expect([...encodeText('\ufeffé€😀')]).toEqual([...Buffer.from('\ufeffé€😀', 'utf8')])
    expect(decodeText(encodeText('\ufeffé€😀'))).toBe('\ufeffé€😀')
  })

  it('keeps half a surrogate pair, and is the same for no two texts', () => {
    expect([...encodeText('a\ud800')]).toEqual([0xff, 0, 0x61, 0xd8, 0])
    expect(encodeText('\ufffd')).not.toEqual(encodeText('\ud800'))
  })

  it('decodes every text that it encoded', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 0xd7ff, max: 0xe000 }), (text, unit) => {
        const all = text + String.fromCharCode(unit)
        expect(decodeText(encodeText(all))).toBe(all)
      }),
    )
  })
})

describe('decodeText', () => {
  it.each([[[0xc3]], [[0xfe]], [[0xff, 1]], [[0x61, 0xff]]])('finds no text in %j', (bytes) => {
    expect(decodeText(Uint8Array.from(bytes))).toBeUndefined()
  })
})
