import { BaseValueType } from './value-types.ts'

const INT32 = 2 ** 31
const INT64 = 2 ** 63

const isLargeWhole = (value: number): boolean => Number.isInteger(value) && Math.abs(value) >= INT32

const isInt64 = (value: number): boolean => isLargeWhole(value) && Math.abs(value) < INT64

/**
 * A finite number. Whole numbers below 2^31 are stored as Int32, larger ones as Int64, and all others as
 * Double. Whole numbers from 2^63 on are stored as Double, too.
 */
export class NumberType extends BaseValueType<number> {
  protected override readonly expected: string = 'a finite number'

  protected override accepts(value: unknown): value is number {
    return typeof value === 'number' && Number.isFinite(value)
  }

  protected override toStored(value: number): unknown {
    // Above 2^53 that library stores the shortest digits that stand for the number.
    return isInt64(value) ? String(value) : value
  }

  protected override toOperand(value: number): number | bigint {
    return isInt64(value) ? BigInt(String(value)) : value
  }

  protected override annotationOf(value: number): string | undefined {
    if (!isLargeWhole(value)) return undefined
    return isInt64(value) ? 'Edm.Int64' : 'Edm.Double'
  }

  protected override fromStored(stored: unknown): unknown {
    return typeof stored === 'string' && /^-?\d+$/.test(stored) ? Number(stored) : stored
  }
}

/** A whole number from 0 to 2^32, for AscendingIntegerKey and DescendingIntegerKey, among others. */
export class PositiveIntegerType extends NumberType {
  protected override readonly expected: string = 'a whole number from 0 to 2^32'

  protected override accepts(value: unknown): value is number {
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 2 ** 32
  }
}
