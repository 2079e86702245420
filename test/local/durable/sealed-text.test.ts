import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isSealed,
  sealOf,
  sealText,
  unsealText,
} from '../../../packages/local/src/durable/sealed-text.ts'

const KEY = 'key'

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
        const bytes = Buffer.from(sealText(KEY, text))
        const bit = at % (bytes.length * 8)
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(unsealText(KEY, bytes.toString())).toBeUndefined()
      }),
    )
  })

  it('give nothing back under another key', () => {
    expect(unsealText('kez', sealText(KEY, 'text'))).toBeUndefined()
  })

  it.each(['', '1', '00000000', '0000000'])('take %j for no record', (sealed) => {
    expect(isSealed(KEY, sealed)).toBe(false)
  })

  it('show the checksum that the record carries', () => {
    expect(sealText(KEY, 'text')).toBe('a2e9a3edtext')
    expect(sealOf(sealText(KEY, 'text'))).toBe(0xa2e9a3ed)
  })
})
