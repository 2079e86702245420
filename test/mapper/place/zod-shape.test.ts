import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { compileSchema } from '../../../packages/mapper/src/place/compile-schema.ts'
import { formOf } from '../../../packages/mapper/src/place/value-form.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const formIn = (schema: z.core.$ZodType) => formOf(compileSchema(schema))
const shownBy = (schema: z.core.$ZodType) =>
  new EntitySchema('t', z.object({ a: schema })).showPart({}, ['a']).values.a

enum Level {
  low,
  high,
}

describe('zodShape', () => {
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
    ['Double', z.nan()],
    [
      'Double',
      z
        .number()
        .or(z.nan())
        .or(z.literal([Infinity, -Infinity])),
    ],
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
    ['String', z.stringbool()],
    ['String', z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String })],
    ['Int32', z.enum(Level)],
    ['Int32', z.nativeEnum(Level)],
    ['String', z.string().nullable().or(z.null())],
    ['String', z.lazy(() => z.string())],
    ['String', z.intersection(z.string(), z.string().min(1))],
  ])('%s is the type of schema %#', (type, schema) => {
    expect(formIn(schema).type).toBe(type)
  })

  it('returns no type when no single type stores every value, or a stored value could not be read back', () => {
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
      z.custom<string>(),
    ]
    for (const schema of schemas) expect(formIn(schema).type).toBeUndefined()
  })

  it.each([
    [z.string(), undefined],
    [z.string().default('x'), 'x'],
    [z.string().default(() => 'made'), 'made'],
    [z.string().default('x').readonly(), 'x'],
    [z.date().nullable(), null],
    [z.date().nullable().readonly(), null],
    [z.date().nullable().optional(), undefined],
    [z.string().optional(), undefined],
    [z.string().nullable().default('x'), 'x'],
    [z.string().catch('x'), 'x'],
    [z.string().catch('x').readonly(), 'x'],
    [z.string().optional().catch('x'), undefined],
    [z.string().prefault('x'), 'x'],
    [z.preprocess((given) => given ?? 'x', z.string()), 'x'],
    [z.preprocess((given) => given, z.string()), undefined],
  ])('schema %# shows its value where none is stored: %o', (schema, value) => {
    expect(shownBy(schema)).toBe(value)
  })

  it.each([
    [true, z.array(z.string())],
    [true, z.object({ a: z.string() }).optional()],
    [true, z.record(z.string(), z.number()).nullable()],
    [true, z.tuple([z.string()])],
    [
      true,
      z.discriminatedUnion('by', [
        z.object({ by: z.literal('card') }),
        z.object({ by: z.literal('cash') }),
      ]),
    ],
    [true, z.union([z.array(z.string()), z.record(z.string(), z.string())]).optional()],
    [false, z.union([z.array(z.string()), z.string()])],
    [false, z.map(z.string(), z.string())],
    [false, z.array(z.string()).transform(String)],
    [false, z.string()],
  ])('JSON stores the values of schema %#: %s', (isJson, schema) => {
    expect(formIn(schema).isJson).toBe(isJson)
  })

  it('reads objects of both builds, read-only ones and intersections', () => {
    const whole = z.intersection(
      z.object({ a: z.string(), n: z.number() }).readonly(),
      z.object({ n: z.int32(), b: z.boolean() }),
    )
    expect([...new EntitySchema('t', whole).properties.keys()]).toEqual(['a', 'n', 'b'])
    expect(new EntitySchema('t', whole).checkPart({ n: 1.5 }, ['n']).issues).toHaveLength(1)
    const small = new EntitySchema('t', mini.object({ a: mini.string() }))
    expect([...small.properties.keys()]).toEqual(['a'])
  })
})
