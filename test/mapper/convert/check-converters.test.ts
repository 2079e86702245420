import { Entity, jsonText, ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { checkConverters } from '../../../packages/mapper/src/convert/check-converters.ts'

describe('checkConverters', () => {
  it('takes pairs of a class and a converter, and none', () => {
    expect(() => checkConverters('Order', undefined)).not.toThrow()
    expect(() => checkConverters('Order', [[Map, jsonText()]])).not.toThrow()
  })

  it.each([5, null, [5], [[Map]], [['Map', jsonText()]], [[Map, {}]]])('refuses %o', (given) => {
    expect(() => checkConverters('Order', given)).toThrow(/^Order: Its converters must be pairs/)
    class Order {}
    expect(() => Entity({ converters: given as never })(Order)).toThrow(ModelError)
  })
})
