import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../packages/mapper/src/place/compile-schema.ts'
import { formOf } from '../../../packages/mapper/src/place/value-form.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const formIn = (schema: v.GenericSchema) => formOf(compileSchema(schema))
const shownBy = (schema: v.GenericSchema) =>
  new EntitySchema('t', v.object({ a: schema })).showPart({}, ['a']).values.a

describe('valibotShape', () => {
  it.each([
    ['String', v.string()],
    ['String', v.pipe(v.string(), v.email())],
    ['String', v.pipe(v.string(), v.trim(), v.minLength(3))],
    ['Guid', v.pipe(v.string(), v.uuid())],
    ['Double', v.number()],
    ['Double', v.union([v.number(), v.nan()])],
    ['Double', v.pipe(v.number(), v.integer())],
    ['Double', v.pipe(v.number(), v.minValue(0), v.maxValue(9))],
    ['Int32', v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9))],
    ['Double', v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31))],
    ['Int64', v.bigint()],
    ['Boolean', v.boolean()],
    ['DateTime', v.date()],
    ['Binary', v.instance(Uint8Array)],
    ['String', v.picklist(['a', 'b'])],
    ['String', v.enum({ A: 'a' })],
    ['Int32', v.literal(1)],
    ['Double', v.union([v.literal(1), v.literal(2.5)])],
    ['String', v.optional(v.string(), 'x')],
    ['DateTime', v.nullish(v.date())],
    ['DateTime', v.pipe(v.unknown(), v.date())],
  ])('%s is the type of schema %#', (type, schema) => {
    expect(formIn(schema).type).toBe(type)
  })

  it('returns no type when no single type stores every value, or a stored value could not be read back', () => {
    const schemas = [
      v.object({}),
      v.array(v.string()),
      v.unknown(),
      v.null(),
      v.instance(Map),
      v.union([v.string(), v.number()]),
      v.pipe(v.string(), v.transform(Number)),
      v.custom<string>(() => true),
    ]
    for (const schema of schemas) expect(formIn(schema).type).toBeUndefined()
  })

  it.each([
    [v.string(), undefined],
    [v.optional(v.string(), 'x'), 'x'],
    [v.optional(v.string(), () => 'made'), 'made'],
    [v.nullable(v.date()), null],
    [v.nullish(v.date()), undefined],
    [v.nullable(v.string(), 'x'), 'x'],
    [v.fallback(v.string(), 'x'), 'x'],
    [v.fallback(v.optional(v.string()), 'x'), undefined],
  ])('schema %# shows its value where none is stored', (schema, value) => {
    expect(shownBy(schema)).toBe(value)
  })

  it.each([
    [true, v.array(v.string())],
    [true, v.optional(v.strictObject({ a: v.string() }))],
    [true, v.record(v.string(), v.number())],
    [
      true,
      v.variant('by', [v.object({ by: v.literal('card') }), v.object({ by: v.literal('cash') })]),
    ],
    [true, v.optional(v.union([v.array(v.string()), v.object({})]))],
    [false, v.union([v.array(v.string()), v.string()])],
    [false, v.pipe(v.array(v.string()), v.transform(String))],
    [false, v.string()],
  ])('JSON stores the values: %s for schema %#', (isJson, schema) => {
    expect(formIn(schema).isJson).toBe(isJson)
  })

  it('reads objects, also with checks of the whole, and lazy parts', () => {
    const whole = v.pipe(
      v.object({ a: v.lazy(() => v.array(v.string())) }),
      v.check(() => true),
    )
    const { properties } = new EntitySchema('t', whole)
    expect([...properties].map(([name, place]) => [name, formOf(place).isJson])).toEqual([
      ['a', true],
    ])
  })

  it.each([
    [v.pipe(v.string(), v.trim()), ' x ', 'x'],
    [v.pipe(v.unknown(), v.toNumber()), '5', 5],
    [v.pipe(v.string(), v.brand('Name')), 'x', 'x'],
    [v.fallback(v.number(), 0), 'x', 0],
  ])('schema %# makes of %o: %o', (schema, given, made) => {
    const outcome = new EntitySchema('t', v.object({ a: schema })).check({ a: given })
    expect(outcome).toEqual({ values: { a: made }, issues: [] })
  })
})
