import { codecOf, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { Customer } from '../customer.ts'

describe('codecOf', () => {
  it('compiles a codec once for each model', () => {
    const model = modelOf(Customer)
    expect(codecOf(model)).toBe(codecOf(model))
    expect(codecOf({ ...model })).not.toBe(codecOf(model))
  })
})
