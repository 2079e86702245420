import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExactNumber } from '../../../packages/mapper/src/convert/update-json.ts'

/** The integer that a JavaScript number is written as. */
const writtenAs = (value: number) => BigInt(value.toLocaleString('en', { useGrouping: false }))

describe('isExactNumber', () => {
  it('needs little time for a number of a million digits', () => {
    expect(isExactNumber(`1${'0'.repeat(1_000_000)}1`)).toBe(false)
  })

  it.each(['0', '-0', '0.0', '0e999', '1.50e2', '100', '1e21', '1E+2', '0.1', '5e-324', '1e308'])(
    'accepts %s',
    (text) => {
      expect(isExactNumber(text)).toBe(true)
    },
  )

  it.each([
    '9007199254740993',
    '12345678901234567890',
    '72057594037927952',
    '1e999',
    '-2E+400',
    '0.1e-400',
    '0.10000000000000000000001',
    '0.3333333333333333333333333333',
  ])('rejects %s', (text) => {
    expect(isExactNumber(text)).toBe(false)
  })

  it('accepts every Double as programs write it, also with 17 digits', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(isExactNumber(String(value))).toBe(true)
        expect(isExactNumber(value.toExponential())).toBe(true)
        if (!Number.isInteger(value)) expect(isExactNumber(value.toPrecision(17))).toBe(true)
      }),
    )
  })

  it('accepts an integer if JavaScript writes the same integer', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
        fc.nat(3),
        (digits, zeros) => {
          const value = digits * 10n ** BigInt(zeros)
          const isSame = writtenAs(Number(value)) === value
          expect(isExactNumber(String(value))).toBe(isSame)
          expect(isExactNumber(`${digits}e${zeros}`)).toBe(isSame)
        },
      ),
    )
  })
})
