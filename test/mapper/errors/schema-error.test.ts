import { SchemaError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('SchemaError', () => {
  it('names the model and each place', () => {
    const issues = [
      { path: 'total', message: 'Too small' },
      { path: '', message: 'no sum' },
    ]
    const error = new SchemaError({ model: 'orders', action: 'written', issues })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'SchemaError',
      code: 'SchemaMismatch',
      model: 'orders',
      issues,
    })
    expect(error.message).toBe(
      'An entity of orders cannot be written, because its schema rejects it. total: Too small; no sum.',
    )
  })

  it('names the entity when its key is known', () => {
    const key = { partitionKey: 'c1', rowKey: '7' }
    const issues = [{ path: 'total', message: 'Too small' }]
    const error = new SchemaError({ model: 'orders', action: 'read', issues, key })
    expect(error.message).toBe(
      '["c1","7"] of orders cannot be read, because its schema rejects it. total: Too small.',
    )
    expect(error.details).toEqual(key)
  })
})
