import { DateTimeValue, type EdmType, inferEdmType } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const cases: readonly (readonly [given: unknown, type: EdmType | undefined])[] = [
  ['', 'String'],
  [false, 'Boolean'],
  [5, 'Int32'],
  [2 ** 31 - 1, 'Int32'],
  [2 ** 31, 'Double'],
  [-0, 'Double'],
  [0.5, 'Double'],
  [Number.NaN, 'Double'],
  [5n, 'Int64'],
  [new Date(0), 'DateTime'],
  [new DateTimeValue(0, 1), 'DateTime'],
  [{ [Symbol.toStringTag]: 'Temporal.Instant', epochNanoseconds: 0n }, 'DateTime'],
  [new Uint8Array(1), 'Binary'],
  [Buffer.from('a'), 'Binary'],
  [new ArrayBuffer(1), 'Binary'],
  [new SharedArrayBuffer(1), 'Binary'],
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
  [[], undefined],
  [new Float64Array(1), undefined],
  [Symbol('x'), undefined],
  [() => 1, undefined],
]

describe('inferEdmType', () => {
  it.each(cases)('R-08: finds for %o the type %s', (given, type) => {
    expect(inferEdmType(given)).toBe(type)
  })
})
