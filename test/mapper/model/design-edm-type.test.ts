import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { designEdmType } from '../../../packages/mapper/src/model/design-edm-type.ts'

describe('designEdmType', () => {
  it.each([
    [Boolean, 'Boolean'],
    [BigInt, 'Int64'],
    [Date, 'DateTime'],
    [DateTimeValue, 'DateTime'],
    [Uint8Array, 'Binary'],
    [Buffer, 'Binary'],
  ])('takes %o as %s', (designType, type) => {
    expect(designEdmType(designType)).toBe(type)
  })

  it.each([Number, String, Object, Array, Map, Symbol, undefined, null, 'Date', () => 0])(
    'learns nothing from %o',
    (designType) => {
      expect(designEdmType(designType)).toBeUndefined()
    },
  )
})
