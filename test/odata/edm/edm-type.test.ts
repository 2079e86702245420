import { EDM_TYPES, isEdmType } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('isEdmType', () => {
  it.each(EDM_TYPES)('is true for %s', (type) => {
    expect(isEdmType(type)).toBe(true)
  })

  it.each(['Edm.Int64', 'int64', '', 'toString', '__proto__', null, 5, {}])(
    'is false for %j',
    (text) => {
      expect(isEdmType(text)).toBe(false)
    },
  )
})
