import { key } from '@rowkey/mapper'
import { declareEventualIndexes, declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { defineEmployee } from '../employees.ts'

describe('the declaration of an index', () => {
  const rowKey = key`email_${'email'}`
  const announce = async () => {}

  it('rejects keys that two entities could have', () => {
    const declare = () => declareIndexes(defineEmployee(), { email: { rowKey } })
    expect(declare).toThrow(/must end with the entity's own RowKey. Add \$\{'id'\}/)
    const eventual = { email: { partitionKey: key`${'email'}`, rowKey: key`email_${'id'}` } }
    const declareOther = () => declareEventualIndexes(defineEmployee(), eventual, { announce })
    expect(declareOther).toThrow(/all properties of the entity's own key. Add \$\{'department'\}/)
  })

  it('rejects a sameSince after the version of the model', () => {
    const declare = () =>
      declareIndexes(defineEmployee(), { email: { rowKey, unique: true, sameSince: 2 } })
    expect(declare).toThrow('Its sameSince is 2, and the model has version 1.')
  })
})
