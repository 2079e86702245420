import { DynamicEntity, PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkNoneRemoved } from '../../../packages/odata/src/entity/check-none-removed.ts'

const stored = new Map([['n', '"n@odata.type":"Edm.Int64","n":"5"']])

describe('checkNoneRemoved', () => {
  it('takes an entity that has all that is stored, and more', () => {
    const entity = new DynamicEntity('a', 'b', { n: 6, more: 1 })
    expect(() => checkNoneRemoved(entity, stored)).not.toThrow()
  })

  it('refuses one that has not, and names the property and its type', () => {
    const check = () => checkNoneRemoved(new DynamicEntity('a', 'b', { more: 1 }), stored)
    expect(check).toThrow(PropertyValueError)
    expect(check).toThrow(expect.objectContaining({ property: 'n', type: 'Int64' }))
  })
})
