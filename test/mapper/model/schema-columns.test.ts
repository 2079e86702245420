import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schemaColumns } from '../../../packages/mapper/src/model/define-entity.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const columns = (shape: z.core.$ZodShape) =>
  schemaColumns(new EntitySchema('orders', z.object(shape)), new Set(['id']), {
    storeAs: { total: 't' },
  })

describe('schemaColumns', () => {
  it('has a column for each property that the keys do not hold', () => {
    expect(columns({ id: z.string(), total: z.number(), sent: z.boolean() })).toEqual([
      { property: 'total', name: 't', type: 'Double' },
      { property: 'sent', name: 'sent', type: 'Boolean' },
    ])
  })

  it.each(['constructor', 'toString'])('rejects %s, which every object has', (name) => {
    expect(() => columns({ [name]: z.string() })).toThrow(ModelError)
    expect(() => columns({ [name]: z.string() })).toThrow(
      `orders.${name}: Every JavaScript object has a member`,
    )
  })

  it('stores arrays and objects as JSON text', () => {
    expect(columns({ id: z.string(), lines: z.array(z.string()) })).toMatchObject([
      { property: 'lines', type: 'String', converter: { type: 'String' } },
    ])
  })

  it('rejects a property that no Edm type stores, in a key too', () => {
    expect(() => columns({ lines: z.map(z.string(), z.string()) })).toThrow(ModelError)
    expect(() => columns({ lines: z.map(z.string(), z.string()) })).toThrow(
      /^orders.lines: No Edm type stores the values of its schema/,
    )
    expect(() => columns({ id: z.array(z.string()) })).toThrow(/not in a key/)
    expect(() => columns({ id: z.string().transform(Number) })).toThrow(/cannot be undone/)
  })
})
