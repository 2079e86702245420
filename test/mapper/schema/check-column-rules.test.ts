import { encrypted, encryptionKeys, longText, plain } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkColumnRules } from '../../../packages/mapper/src/schema/check-column-rules.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const rule = encrypted(encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } }))
const context = {
  title: 'orders',
  properties: new EntitySchema('orders', z.object({ id: z.string(), note: z.string() })).properties,
  inKeys: new Set(['id']),
}

describe('checkColumnRules', () => {
  it('accepts rules for stored properties, and an absent rule', () => {
    expect(() => checkColumnRules({ note: rule, id: undefined }, context)).not.toThrow()
    expect(() => checkColumnRules({}, context)).not.toThrow()
  })

  it.each([
    [{ other: rule }, /orders\.other.*schema/],
    [{ id: rule }, /orders\.id.*key/],
    [{ note: {} }, /orders\.note.*is empty/],
    [{ note: { ...longText(), encrypted: rule } }, /orders\.note.*unknown member/],
    [{ note: { ...plain(), ...rule } }, /orders\.note: It is both plain/],
  ])('rejects %o', (rules, message) => {
    expect(() => checkColumnRules(rules, context)).toThrow(message)
  })
})
