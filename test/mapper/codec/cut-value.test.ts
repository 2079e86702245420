import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutValue, isFull } from '../../../packages/mapper/src/codec/cut-value.ts'

/** One unit for an `a`, two for a face. */
const texts = fc
  .tuple(fc.integer({ min: 32_760, max: 32_770 }), fc.integer({ min: 0, max: 40_000 }))
  .map(([units, faces]) => 'a'.repeat(units) + '😀'.repeat(faces))

describe('cutValue', () => {
  it('leaves a short value whole', () => {
    expect(cutValue('')).toEqual([''])
    expect(cutValue('x'.repeat(32_766))).toHaveLength(1)
    expect(cutValue(new Uint8Array(65_535))).toHaveLength(1)
  })

  it('ends with a piece that is not full, though it be empty', () => {
    expect(cutValue('x'.repeat(32_768))).toEqual(['x'.repeat(32_768), ''])
    expect(cutValue(new Uint8Array(65_536)).map(({ length }) => length)).toEqual([65_536, 0])
  })

  it('cuts text into full pieces, never a character, and loses nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = cutValue(text).map(String)
        expect(pieces.join('') === text).toBe(true)
        expect(pieces.map(isFull)).toEqual(pieces.map((_, at) => at < pieces.length - 1))
        expect(
          pieces.every((piece) => piece.length <= 32_768 && !/[\ud800-\udbff]$/.test(piece)),
        ).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('cuts bytes that lie within a larger buffer', () => {
    const bytes = new Uint8Array(200_000).map((_, at) => at).subarray(7, 150_000)
    const pieces = cutValue(bytes) as readonly Uint8Array[] // as what was cut
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 149_993 - 2 * 65_536])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })
})
