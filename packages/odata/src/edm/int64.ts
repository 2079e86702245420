import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
const DIGITS = /^-?\d{1,40}$/
/** Every number of so many characters has 64 bits. */
const SAFE_LENGTH = 18
const TAKES =
  'whole numbers from -2^63 to 2^63 - 1: give a bigint, or a number that Number.isSafeInteger takes'

/** Int64: a `bigint` of 64 bits, which travels as text because JSON numbers lose digits. */
export const int64Codec: EdmCodec<'Int64'> = {
  type: 'Int64',
  accept(given, name) {
    const value = typeof given === 'number' && Number.isSafeInteger(given) ? BigInt(given) : given
    if (typeof value !== 'bigint' || !isInt64(value))
      throw valueRefused('Int64', name, given, TAKES)
    return value
  },
  annotates: () => true,
  writeJson: (value) => `"${value}"`,
  readJson(json, name) {
    if (typeof json !== 'string' || !DIGITS.test(json)) return int64Codec.accept(json, name)
    const value = BigInt(json)
    return json.length <= SAFE_LENGTH ? value : int64Codec.accept(value, name)
  },
  printLiteral: (value) => `${value}L`,
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
}

/** Whether a bigint has 64 bits. */
export function isInt64(value: bigint): boolean {
  return value >= MIN && value <= MAX
}
