import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { edmTypeOfSchema } from '../../../packages/mapper/src/schema/edm-type-of-schema.ts'

describe('edmTypeOfSchema', () => {
  it.each([
    ['String', z.string()],
    ['String', z.email()],
    ['String', z.iso.datetime()],
    ['String', z.string().trim().min(3)],
    ['String', z.string().brand('Name')],
    ['String', z.templateLiteral(['a', z.number()])],
    ['Guid', z.uuid()],
    ['Guid', z.guid()],
    ['Guid', z.string().uuid()],
    ['Double', z.number()],
    ['Double', z.number().min(0).max(9)],
    ['Double', z.int()],
    ['Double', z.number().int().min(0)],
    ['Double', z.int().max(9)],
    ['Double', z.uint32()],
    ['Double', z.float64()],
    ['Int32', z.int32()],
    ['Int32', z.int().min(0).max(9)],
    [
      'Double',
      z
        .int()
        .gt(-5)
        .lt(2 ** 31),
    ],
    ['Int32', z.number().int().positive().lt(100)],
    ['Double', z.coerce.number()],
    ['Int64', z.bigint()],
    ['Int64', z.int64()],
    ['Boolean', z.boolean()],
    ['DateTime', z.date()],
    ['Binary', z.instanceof(Uint8Array)],
    ['Binary', z.instanceof(Buffer)],
    ['String', z.enum(['a', 'b'])],
    ['String', z.literal('a')],
    ['Int32', z.literal([1, 2])],
    ['Double', z.literal([1, 2.5])],
    ['Int64', z.literal(1n)],
    ['Boolean', z.literal(true)],
    ['String', z.union([z.literal('a'), z.string()])],
    ['String', z.string().optional()],
    ['DateTime', z.date().nullable().default(null)],
    ['Int32', z.int32().readonly().catch(0)],
    ['Guid', z.string().pipe(z.uuid())],
    ['DateTime', z.preprocess((value) => value, z.date())],
    ['Int32', mini.optional(mini.int32())],
    ['String', mini.string()],
  ])('%s is the type of schema %#', (type, schema) => {
    expect(edmTypeOfSchema(schema)).toBe(type)
  })

  it('knows no type for what no one type takes, or nobody could read back', () => {
    const schemas = [
      z.object({}),
      z.array(z.string()),
      z.unknown(),
      z.any(),
      z.null(),
      z.undefined(),
      z.map(z.string(), z.string()),
      z.instanceof(Map),
      z.union([z.string(), z.number()]),
      z.literal(['a', 1]),
      z.string().transform(Number),
      z.stringbool(),
      z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String }),
      z.custom<string>(),
    ]
    for (const schema of schemas) expect(edmTypeOfSchema(schema)).toBeUndefined()
  })
})
