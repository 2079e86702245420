import type { StandardSchema } from '@rowkey/mapper'
import { defineEntity, jsonText, key, ModelError } from '@rowkey/mapper'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const keys = { name: 'orders', partitionKey: key`${'p'}`, rowKey: key`${'r'}` } as const
const define = (schema: StandardSchema<unknown, object>) =>
  defineEntity({ ...keys, schema } as never)
const withZod = (meta: z.ZodType) => define(z.object({ p: z.string(), r: z.string(), meta }))
const withValibot = (meta: v.GenericSchema) =>
  define(v.object({ p: v.string(), r: v.string(), meta }))
const withArktype = (meta: unknown) =>
  define(type({ p: 'string', r: 'string', meta } as never) as never)
const hashed = (text: string) => `${text}!`

describe('a step that cannot be undone', () => {
  it.each<[string, z.ZodType]>([
    ['meta', z.string().transform((text) => text.length)],
    ['meta', z.string().transform(hashed)],
    ['meta', z.iso.datetime().pipe(z.coerce.date())],
    ['meta', z.string().pipe(z.coerce.number())],
    ['meta', z.success(z.string())],
    ['meta', z.promise(z.string())],
    ['meta.words', z.object({ words: z.string().transform((text) => text.length) })],
    ['meta.words', z.object({ words: z.string().transform(hashed).optional() }).nullable()],
    ['meta.*', z.array(z.string().transform(hashed))],
    ['meta.0', z.tuple([z.string().transform(hashed)])],
    ['meta.*', z.record(z.string(), z.string().transform(hashed))],
    ['meta.*', z.record(z.string().transform(hashed), z.string())],
    ['meta.a', z.union([z.object({ a: z.string().transform(hashed) }), z.array(z.string())])],
    ['meta.b', z.intersection(z.object({}), z.object({ b: z.string().transform(hashed) }))],
    ['meta.more', z.looseObject({ more: z.string().transform(hashed) }).readonly()],
    ['meta.*', z.object({}).catchall(z.string().transform(hashed))],
    ['meta.at', z.object({ at: z.iso.datetime().pipe(z.coerce.date()) })],
    ['meta.next', z.object({ next: z.lazy(() => z.string().transform(hashed)) })],
    ['meta.a', z.object({ a: z.string().transform(hashed).default('x') })],
    ['meta.a', z.object({ a: z.preprocess((text) => text, z.string().transform(hashed)) })],
  ])('R-69: is refused at %s, in schema %# of zod', (path, meta) => {
    expect(() => withZod(meta)).toThrow(ModelError)
    expect(() => withZod(meta)).toThrow(
      new RegExp(`^orders\\.${path.replace(/[.*]/g, '\\$&')}: .*z\\.codec\\(`),
    )
  })

  it.each<[string, v.GenericSchema]>([
    ['meta', v.pipe(v.string(), v.transform(hashed))],
    ['meta', v.pipe(v.string(), v.toNumber())],
    ['meta.words', v.object({ words: v.pipe(v.string(), v.transform(hashed)) })],
    ['meta.*', v.array(v.pipe(v.string(), v.transform(hashed)))],
    ['meta.*', v.record(v.string(), v.pipe(v.string(), v.transform(hashed)))],
    ['meta.a', v.optional(v.object({ a: v.nullable(v.pipe(v.string(), v.toDate())) }))],
    [
      'meta.a',
      v.variant('by', [v.object({ by: v.literal(1), a: v.pipe(v.string(), v.transform(hashed)) })]),
    ],
    ['meta.*', v.objectWithRest({}, v.pipe(v.string(), v.transform(hashed)))],
  ])('is refused at %s, in schema %# of valibot', (path, meta) => {
    expect(() => withValibot(meta)).toThrow(ModelError)
    expect(() => withValibot(meta)).toThrow(
      new RegExp(`^orders\\.${path.replace(/[.*]/g, '\\$&')}: .*cannot be undone`),
    )
  })

  it.each<[string, unknown]>([
    ['meta', 'string.numeric.parse'],
    ['meta', type('string').pipe(hashed)],
    ['meta', type('string').pipe(hashed).to('string')],
    ['meta.words', { words: 'string.date.iso.parse' }],
    ['meta.*', type('string.json.parse').array()],
    ['meta.a', [{ a: 'string.integer.parse' }, '|', 'null']],
  ])('is refused at %s, in type %# of arktype', (path, meta) => {
    expect(() => withArktype(meta)).toThrow(ModelError)
    expect(() => withArktype(meta)).toThrow(
      new RegExp(`^orders\\.${path.replace(/[.*]/g, '\\$&')}: .*cannot be undone`),
    )
  })

  it('is refused in the schema of JSON text, too', () => {
    const schema = z.object({ words: z.string().transform(hashed) })
    expect(() => jsonText(schema)).toThrow(
      expect.objectContaining({
        code: 'InvalidJsonValue',
        message: expect.stringMatching(/at words: .*z\.codec\(/),
      }),
    )
    expect(() => jsonText(z.array(z.date()))).toThrow(/at \*: .*JSON.*Dates/)
  })
})

describe('a value that JSON does not hold', () => {
  it.each<[string, z.ZodType, RegExp]>([
    ['meta.*', z.array(z.date()), /Dates.*z\.codec\(z\.iso\.datetime\(\), z\.date\(\)/],
    ['meta.*', z.array(z.bigint()), /bigints.*z\.codec\(z\.string\(\), z\.bigint\(\)/],
    ['meta.photo', z.object({ photo: z.instanceof(Uint8Array) }), /bytes/],
    ['meta.a', z.object({ a: z.date().optional() }), /Dates/],
    ['meta.a', z.object({ a: z.coerce.date() }), /Dates/],
    ['meta.*', z.array(z.nan()), /NaN/],
    ['meta.seen', z.object({ seen: z.set(z.string()) }), /values of this kind/],
  ])('is refused at %s, with a codec: schema %#', (path, meta, message) => {
    expect(() => withZod(meta)).toThrow(message)
    expect(() => withZod(meta)).toThrow(new RegExp(`^orders\\.${path.replace(/[.*]/g, '\\$&')}: `))
  })

  it('is refused in schemas of valibot and arktype', () => {
    expect(() => withValibot(v.array(v.date()))).toThrow(/^orders\.meta\.\*: .*Dates/)
    expect(() => withArktype('bigint[]')).toThrow(/^orders\.meta\.\*: .*bigints/)
  })
})

describe('members that an object schema does not name', () => {
  const shape = { p: z.string(), r: z.string() }

  it.each([
    z.looseObject(shape),
    z.object(shape).catchall(z.string()),
    v.looseObject({ p: v.string(), r: v.string() }),
    v.objectWithRest({ p: v.string(), r: v.string() }, v.string()),
    type({ p: 'string', r: 'string', '[string]': 'string' }),
  ])('are refused in the schema of an entity: schema %#', (schema) => {
    expect(() => define(schema as never)).toThrow(ModelError)
    expect(() => define(schema as never)).toThrow(/does not name/)
  })
})
