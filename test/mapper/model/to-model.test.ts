import { ModelError, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { toModel } from '../../../packages/mapper/src/model/to-model.ts'
import { Customer } from '../customer.ts'

describe('toModel', () => {
  it('returns a model unchanged, and the model of a class', () => {
    const model = modelOf(Customer)
    expect(toModel(model)).toBe(model)
    expect(toModel(Customer)).toBe(model)
  })

  it('rejects other values', () => {
    expect(() => toModel('people' as never)).toThrow(ModelError)
    expect(() => toModel(null as never)).toThrow(ModelError)
  })
})
