import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isSealed,
  sealOf,
  sealText,
  unsealText,
} from '../../../../packages/local/src/store/durable/sealed-text.ts'

const KEY = Buffer.from('key')

describe('sealText and unsealText', () => {
  it('give back every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unsealText(KEY, sealText(KEY, text))).toBe(text)
      }),
    )
  })

  it('give nothing back when one bit is another', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
        const sealed = sealText(KEY, text)
        const bit = at % (sealed.length * 8)
        sealed[bit >> 3] = (sealed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(unsealText(KEY, sealed)).toBeUndefined()
      }),
    )
  })

  it('give nothing back under another key', () => {
    expect(unsealText(Buffer.from('kez'), sealText(KEY, 'text'))).toBeUndefined()
  })

  it('take bytes that are too few for none', () => {
    expect(isSealed(KEY, Buffer.of(1, 2, 3))).toBe(false)
  })

  it('show the checksum that the record carries', () => {
    const sealed = sealText(KEY, 'text')
    expect(sealOf(sealed)).toBe(sealed.readUInt32BE(0))
  })
})
