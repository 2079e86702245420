import { EDM_TYPES, type EdmType } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { widen } from '../../../packages/mapper/src/codec/widen.ts'

describe('widen', () => {
  it.each(EDM_TYPES)('gives a value of type %s as it is', (type) => {
    const value = new Date(0)
    expect(widen({ type, value }, type)).toBe(value)
  })

  it('takes an Int32 as an Int64 and as a Double', () => {
    expect(widen({ type: 'Int32', value: -5 }, 'Int64')).toBe(-5n)
    expect(widen({ type: 'Int32', value: -5 }, 'Double')).toBe(-5)
  })

  it('takes nothing else as another type', () => {
    const exact = new Set(['Int32>Int64', 'Int32>Double'])
    const pairs = EDM_TYPES.flatMap((from) => EDM_TYPES.map((to): [EdmType, EdmType] => [from, to]))
    for (const [from, to] of pairs) {
      if (from === to || exact.has(`${from}>${to}`)) continue
      expect(widen({ type: from, value: 1 }, to)).toBeUndefined()
    }
  })
})
