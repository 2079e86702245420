import { EntityProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { compareValues } from '../../../packages/odata/src/filter/compare-values.ts'

const { int32, int64, double, string, boolean, guid } = EntityProperty
const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

describe('compareValues', () => {
  it('compares numbers of every type by their values', () => {
    expect(compareValues(int32(5), int64(5n))).toBe(0)
    expect(compareValues(int64(5n), double(5.5))).toBe(-1)
    expect(compareValues(double(5.5), int32(5))).toBe(1)
    expect(compareValues(int64(2n ** 53n + 1n), double(2 ** 53))).toBe(1)
  })

  it('finds a NaN neither before nor after a number', () => {
    expect(compareValues(double(Number.NaN), int32(5))).toBeNaN()
    expect(compareValues(int64(5n), double(Number.NaN))).toBeNaN()
  })

  it('never matches values of other types', () => {
    expect(compareValues(string('5'), int32(5))).toBeUndefined()
    expect(compareValues(boolean(true), int32(1))).toBeUndefined()
    expect(compareValues(guid(GUID), string(GUID))).toBeUndefined()
  })
})
