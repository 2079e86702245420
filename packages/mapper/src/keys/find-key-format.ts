import { guidFormat, hashFormat, hexFormat } from './byte-format.ts'
import { dateFormat, invertedFormat, timeFormat } from './date-format.ts'
import type { KeyFormat } from './key-format.ts'
import { int32Format, int64Format, paddedBigint, paddedNumber } from './number-format.ts'
import { base64urlFormat, escapedFormat, textFormat } from './text-format.ts'

/** A `number` is exact up to here; more digits need a bigint. */
const MAX_NUMBER_DIGITS = 15
const MAX_BIGINT_DIGITS = 19

const named: ReadonlyMap<string, KeyFormat> = new Map([
  ['', textFormat],
  ['escaped', escapedFormat],
  ['base64url', base64urlFormat],
  ['hash', hashFormat],
  ['guid', guidFormat],
  ['hex', hexFormat],
  ['int32', int32Format()],
  ['int64', int64Format()],
  ['date', dateFormat],
  ['time', timeFormat],
  ['inverted', invertedFormat],
])

/** Finds the format that a template names after the colon; `undefined` for an unknown name. */
export function findKeyFormat(name: string): KeyFormat | undefined {
  const [, width, bigint] = /^([1-9]\d?)(n?)$/.exec(name) ?? []
  if (width === undefined) return named.get(name)
  const digits = Number(width)
  if (digits > (bigint ? MAX_BIGINT_DIGITS : MAX_NUMBER_DIGITS)) return undefined
  return bigint ? paddedBigint(digits) : paddedNumber(digits)
}
