/** The digits that identify every Double; a longer number has more digits than a Double can hold. */
const DOUBLE_DIGITS = 17

/** A decimal number: its digits without zeros at either end, and the power of ten of the last one. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/**
 * Returns whether a number of JSON survives being read as a Double and written again. It does when the
 * Double is written as the same decimal, or when a fraction of up to 17 digits is how some programs
 * write that very Double (`0.10000000000000001`).
 *
 * @param text - the number as JSON spells it
 *
 * @example
 * ```ts
 * isExactNumber('1.50e2') // true
 * isExactNumber('12345678901234567890') // false: a Double holds 12345678901234567168
 * ```
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text)
  const decimal = decimalOf(text)
  if (decimal.digits === '') return true
  if (value === 0 || !Number.isFinite(value)) return false
  if (isSame(decimal, decimalOf(String(value)))) return true
  const isFraction = decimal.exponent < 0
  const count = decimal.digits.length
  return (
    isFraction && count <= DOUBLE_DIGITS && isSame(decimal, decimalOf(value.toPrecision(count)))
  )
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent
}

/** The sign is left out: a Double has the one of its text. */
function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  const digits = all.replace(/0+$/, '')
  const exponent = Number(power) - fraction.length + all.length - digits.length
  return { digits: digits.replace(/^0+/, ''), exponent }
}
