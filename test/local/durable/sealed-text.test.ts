import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NO_TOTALS,
  parseTotals,
  printTotals,
  sealOf,
  sealText,
  unsealText,
  withRecord,
} from '../../../packages/local/src/durable/sealed-text.ts'

const KEY = 'key'

describe('sealText and unsealText', () => {
  it('preserve every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unsealText(KEY, sealText(KEY, text))).toBe(text)
      }),
    )
  })

  it('return undefined when one bit differs', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
        const bytes = Buffer.from(sealText(KEY, text))
        const bit = at % (bytes.length * 8)
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(unsealText(KEY, bytes.toString())).toBeUndefined()
      }),
    )
  })

  it('return undefined under another key', () => {
    expect(unsealText('kez', sealText(KEY, 'text'))).toBeUndefined()
  })

  it.each(['', '1', '00000000', '0000000'])('return undefined for %j', (sealed) => {
    expect(unsealText(KEY, sealed)).toBeUndefined()
  })

  it('expose the checksum of a record', () => {
    expect(sealText(KEY, 'text')).toBe('a2e9a3edtext')
    expect(sealOf(sealText(KEY, 'text'))).toBe(0xa2e9a3ed)
  })
})

const record = (text: string) => sealText('key', text)

describe('totals', () => {
  it('are parsed as they are printed', () => {
    const totals = { commits: 1, records: 2, sum: 0xffff_ffff }
    expect(parseTotals(printTotals(totals))).toEqual(totals)
  })

  it('return to their value when a record is removed again', () => {
    const [one, other] = [record('one'), record('other')]
    const added = withRecord(withRecord(NO_TOTALS, undefined, one), one, other)
    expect(added).toMatchObject({ records: 1 })
    expect(added).toEqual(withRecord(NO_TOTALS, undefined, other))
    expect(withRecord(added, other, undefined)).toEqual(NO_TOTALS)
  })
})
