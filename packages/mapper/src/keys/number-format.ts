import type { KeyFormat } from './key-format.ts'

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** Makes the format of whole numbers of type `number`, with leading zeros: 7 as `00000007`. */
export function paddedNumber(digits: number): KeyFormat {
  const { print, parse, ...rest } = wholeNumbers(0n, 10n ** BigInt(digits) - 1n, digits)
  return {
    ...rest,
    type: digits < 10 ? 'Int32' : 'Double',
    print: (value) => (isWhole(value) ? print(BigInt(value)) : undefined),
    parse: (text) => toNumber(parse(text)),
  }
}

/** Makes the format of bigints, with leading zeros: 7n as `00000007`. */
export function paddedBigint(digits: number): KeyFormat {
  const most = 10n ** BigInt(digits) - 1n
  return wholeNumbers(0n, most < MAX_INT64 ? most : MAX_INT64, digits)
}

/** Makes the format of every Int32 as its distance from the least one, in ten digits: negative numbers first. */
export function int32Format(): KeyFormat {
  const { print, parse, ...rest } = wholeNumbers(-(2n ** 31n), 2n ** 31n - 1n, 10)
  return {
    ...rest,
    type: 'Int32',
    print: (value) => (isWhole(value) ? print(BigInt(value)) : undefined),
    parse: (text) => toNumber(parse(text)),
  }
}

/** Makes the format of every Int64 as its distance from the least one, in 20 digits: negative numbers first. */
export function int64Format(): KeyFormat {
  return wholeNumbers(MIN_INT64, MAX_INT64, 20)
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

interface BigintFormat extends KeyFormat {
  print(value: unknown): string | undefined
  parse(text: string): bigint | undefined
}

function wholeNumbers(least: bigint, most: bigint, digits: number): BigintFormat {
  const shape = new RegExp(`^\\d{${digits}}$`)
  // Without negative numbers the key shows the number itself, which people can read.
  const origin = least < 0n ? least : 0n
  return {
    type: 'Int64',
    takes: `a whole number from ${least} to ${most}`,
    order: 'ascending',
    length: digits,
    print(value) {
      if (typeof value !== 'bigint' || value < least || value > most) return undefined
      return (value - origin).toString().padStart(digits, '0')
    },
    parse(text) {
      const value = shape.test(text) ? BigInt(text) + origin : undefined
      return value !== undefined && value <= most ? value : undefined
    },
  }
}

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}
