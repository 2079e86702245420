import { doubleCodec } from '../edm/double.ts'
import { isInt32 } from '../edm/int32.ts'
import { isInt64 } from '../edm/int64.ts'
import type { FilterLiteral } from './filter-node.ts'

const NUMBER = /^(-?\d+)(\.\d+)?([eE][+-]?\d+)?([lLdDfF]?)$/

/**
 * A number of a filter: `5` is an Int32, `5L` an Int64, `5.0`, `5e1` and `5D` are Doubles. A whole
 * number too large for 32 bits is an Int64.
 *
 * @param text - the whole token
 * @returns `undefined` when it is no number, or has no room in 64 bits
 */
export function readNumber(text: string): FilterLiteral | undefined {
  if (text === '-INF') return { type: 'Double', value: Number.NEGATIVE_INFINITY }
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction, exponent, suffix = ''] = match
  const isLong = suffix === 'l' || suffix === 'L'
  const isPlain = fraction === undefined && exponent === undefined
  if (isLong) return isPlain ? readInteger(whole, true) : undefined
  if (isPlain && suffix === '') return readInteger(whole, false)
  const digits = suffix === '' ? text : text.slice(0, -1)
  return { type: 'Double', value: doubleCodec.readJson(digits, '') }
}

function readInteger(digits: string, isLong: boolean): FilterLiteral | undefined {
  const number = Number(digits)
  if (!isLong && isInt32(number)) return { type: 'Int32', value: number | 0 }
  // No 64-bit number has more digits, and reading thousands of them would take its time.
  const value = digits.length <= 40 ? BigInt(digits) : undefined
  return value !== undefined && isInt64(value) ? { type: 'Int64', value } : undefined
}
