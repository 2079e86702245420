import { hasDiscriminator, modelOf, typeRule } from '@rowkey/mapper'
import { printFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { Customer } from '../customer.ts'
import { Login } from './events.ts'

const login = { PartitionKey: 'u1', RowKey: '1', EntityType: 'Login' }
const purchase = { ...login, EntityType: 'Purchase' }

describe('hasDiscriminator', () => {
  it('compares the mark of a row with that of a model', () => {
    const { discriminator } = modelOf(Login)
    expect(hasDiscriminator(login, discriminator)).toBe(true)
    expect(hasDiscriminator(purchase, discriminator)).toBe(false)
    expect(hasDiscriminator(purchase, undefined)).toBe(true)
  })
})

describe('typeRule', () => {
  it('selects the rows with the mark of a model, and rejects others', () => {
    const rule = typeRule(modelOf(Login))
    expect(rule?.names).toEqual(['EntityType'])
    expect(rule && printFilter(rule.where)).toBe("EntityType eq 'Login'")
    rule?.check?.(login)
    expect(() => rule?.check?.(purchase)).toThrow("Login (EntityType 'Login')")
    expect(typeRule(modelOf(Customer))).toBeUndefined()
  })
})
