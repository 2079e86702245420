import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWellFormed, writeJsonText } from '../../../packages/odata/src/edm/json-text.ts'

const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe00f })))
  .map((units) => String.fromCharCode(...units))

describe('writeJsonText', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.oneof(anyUnits, fc.string()), (text) => {
        expect(JSON.parse(writeJsonText(text))).toBe(text)
        expect(writeJsonText(text)).toBe(JSON.stringify(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('isWellFormed', () => {
  it('finds halves of surrogate pairs that stand alone', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(isWellFormed(text)).toBe(Buffer.from(text).toString() === text)
      }),
      { numRuns: 2_000 },
    )
  })
})
