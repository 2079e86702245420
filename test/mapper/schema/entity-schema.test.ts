import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const schema = new EntitySchema(
  'orders',
  z
    .strictObject({ id: z.string(), total: z.number().default(1), from: z.date().optional() })
    .refine(({ id, total }) => id !== 'free' || total === 0, 'what is free costs nothing'),
)

describe('EntitySchema', () => {
  it('lists its properties', () => {
    expect([...schema.properties.keys()]).toEqual(['id', 'total', 'from'])
  })

  it('returns the output of the schema, and ignores other members', () => {
    expect(schema.check({ id: 'a', etag: 'W/1' })).toEqual({
      values: { id: 'a', total: 1 },
      issues: [],
    })
  })

  it('names the place and the problem', () => {
    expect(schema.check({ total: 'x' })).toEqual({
      values: {},
      issues: [
        { path: 'id', message: expect.stringContaining('string') },
        { path: 'total', message: expect.stringContaining('number') },
      ],
    })
    expect(schema.check({ id: 'free', total: 5 })).toEqual({
      values: {},
      issues: [{ path: '', message: 'what is free costs nothing' }],
    })
  })

  it('checks some properties separately', () => {
    const values = { id: 'free', total: 5 }
    expect(schema.checkPart(values, ['id', 'total'])).toEqual({ values, issues: [] })
    expect(schema.checkPart({ total: 'x' }, ['total', 'unknown'])).toEqual({
      values: {},
      issues: [{ path: 'total', message: expect.any(String) }],
    })
  })

  it('rejects an asynchronous schema', () => {
    const slow = new EntitySchema('orders', z.object({ id: z.string().refine(async () => true) }))
    expect(() => slow.check({ id: 'a' })).toThrow(ModelError)
    expect(() => slow.check({ id: 'a' })).toThrow(/asynchronous check/)
  })
})
