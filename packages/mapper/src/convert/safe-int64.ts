import { describeKind, type InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { Converter } from './converter.ts'

/**
 * Converts an Int64 to a number and back. A number that JavaScript cannot hold exactly is rejected in both directions,
 * never rounded.
 */
export const safeInt64: Converter<number, bigint> = Object.freeze({
  type: 'Int64',
  comparable: true,
  toStored(value: number) {
    if (!Number.isSafeInteger(value)) {
      throw unsafe(typeof value === 'number' ? String(value) : describeKind(value))
    }
    return BigInt(value)
  },
  fromStored(stored: bigint) {
    const value = Number(stored)
    if (!Number.isSafeInteger(value)) throw unsafe(String(stored))
    return value
  },
})

function unsafe(shown: string): InputError {
  return mapperInputError({
    code: 'UnsafeInteger',
    message:
      `${shown} is not a safe integer. An Int64 as a number is whole and between -(2^53 - 1) and 2^53 - 1. ` +
      'Declare the property as bigint for other values.',
  })
}
