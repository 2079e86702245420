import type { StandardSchema } from '@rowkey/mapper'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'

/** The libraries whose schemas are made at random. */
export type Library = 'zod' | 'valibot' | 'arktype'

/** A value: what the library takes in, and what a caller of Rowkey gives. They differ where a codec converts. */
export interface RandomValue {
  readonly input: unknown
  readonly given: unknown
}

/** A schema at random, with values that it accepts. */
export interface RandomSchema {
  readonly schema: unknown
  readonly value: fc.Arbitrary<RandomValue>
  /** Whether its values are compared by conditions of queries. */
  readonly isPlain?: boolean
}

/** How one library makes each kind of schema; another one with the same values where it lacks one. */
interface Builder {
  text(): unknown
  trimmed(): unknown
  lower(): unknown
  number(): unknown
  coerced(): unknown
  caught(): unknown
  truth(): unknown
  choice(): unknown
  optional(inner: unknown): unknown
  nullable(inner: unknown): unknown
  filled(inner: unknown, value: unknown): unknown
  made(inner: unknown, make: () => unknown): unknown
  list(inner: unknown): unknown
  pair(one: unknown, other: unknown): unknown
  record(inner: unknown): unknown
  object(members: Record<string, unknown>): unknown
  either(one: unknown, other: unknown): unknown
}

const states = ['open', 'sent'] as const
type Z = z.ZodType
type V = v.GenericSchema
interface ArkSchema {
  array(): unknown
  or(other: unknown): unknown
}

const BUILDERS: Readonly<Record<Library, Builder>> = {
  zod: {
    text: () => z.string(),
    trimmed: () => z.string().trim(),
    lower: () => z.string().toLowerCase(),
    number: () => z.number(),
    coerced: () => z.coerce.number(),
    caught: () => z.number().catch(0),
    truth: () => z.boolean(),
    choice: () => z.enum(states),
    optional: (inner) => (inner as Z).optional(),
    nullable: (inner) => (inner as Z).nullable().readonly(),
    filled: (inner, value) => (inner as Z).default(value as never),
    made: (inner, make) => (inner as Z).default(make as never),
    list: (inner) => z.array(inner as Z),
    pair: (one, other) => z.tuple([one as Z, other as Z]),
    record: (inner) => z.record(z.string(), inner as Z),
    object: (members) => z.object(members as Record<string, Z>),
    either: (one, other) =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('one'), of: one as Z }),
        z.object({ kind: z.literal('other'), of: other as Z }),
      ]),
  },
  valibot: {
    text: () => v.string(),
    trimmed: () => v.pipe(v.string(), v.trim()),
    lower: () => v.pipe(v.string(), v.toLowerCase()),
    number: () => v.number(),
    coerced: () => v.pipe(v.unknown(), v.toNumber()),
    caught: () => v.fallback(v.number(), 0),
    truth: () => v.boolean(),
    choice: () => v.picklist(states),
    optional: (inner) => v.optional(inner as V),
    nullable: (inner) => v.nullable(inner as V),
    filled: (inner, value) => v.optional(inner as V, value as never),
    made: (inner, make) => v.optional(inner as V, make as never),
    list: (inner) => v.array(inner as V),
    pair: (one, other) => v.tuple([one as V, other as V]),
    record: (inner) => v.record(v.string(), inner as V),
    object: (members) => v.object(members as Record<string, V>),
    either: (one, other) =>
      v.variant('kind', [
        v.object({ kind: v.literal('one'), of: one as V }),
        v.object({ kind: v.literal('other'), of: other as V }),
      ]),
  },
  arktype: {
    text: () => type('string'),
    trimmed: () => type('string.trim'),
    lower: () => type('string.lower'),
    number: () => type('number'),
    coerced: () => type('number'),
    caught: () => type('number'),
    truth: () => type('boolean'),
    choice: () => type("'open' | 'sent'"),
    // A property is optional by its name there.
    optional: (inner) => new ArkProperty(inner),
    nullable: (inner) => (inner as ArkSchema).or('null'),
    filled: (inner, value) => new ArkProperty(inner, () => value),
    made: (inner, make) => new ArkProperty(inner, make),
    list: (inner) => (inner as ArkSchema).array(),
    pair: (one, other) => type([one, other] as never),
    record: (inner) => type({ '[string]': inner } as never),
    object: (members) => type(arkMembers(members) as never),
    either: (one, other) =>
      (type({ kind: "'one'", of: one } as never) as ArkSchema).or({ kind: "'other'", of: other }),
  },
}

/** A property of arktype, which may be missing, or gets a default. */
class ArkProperty {
  constructor(
    readonly inner: unknown,
    readonly make?: () => unknown,
  ) {}
}

function arkMembers(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      if (!(member instanceof ArkProperty)) return [name, member]
      const { inner, make } = member
      return make === undefined ? [`${name}?`, inner] : [name, [inner, '=', make]]
    }),
  )
}

const same = (value: fc.Arbitrary<unknown>): fc.Arbitrary<RandomValue> =>
  value.map((each) => ({ input: each, given: each }))
const text = fc.string({ maxLength: 6 })
const spaced = fc
  .tuple(fc.constantFrom('', ' '), fc.stringMatching(/^[A-Ca-c]{1,3}$/))
  .map(([space, word]) => `${space}${word}${space}`)
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const day = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })

const isoDate = () =>
  z.codec(z.iso.datetime(), z.date(), {
    decode: (stored) => new Date(stored),
    encode: (date) => date.toISOString(),
  })

/** A schema of values without parts. */
function leaf(library: Library): fc.Arbitrary<RandomSchema> {
  const make = BUILDERS[library]
  const isArk = library === 'arktype'
  const leaves: RandomSchema[] = [
    { schema: make.text(), value: same(text), isPlain: true },
    { schema: make.trimmed(), value: same(spaced), isPlain: true },
    { schema: make.lower(), value: same(spaced), isPlain: true },
    { schema: make.number(), value: same(number), isPlain: true },
    { schema: make.coerced(), value: same(isArk ? number : fc.oneof(number, number.map(String))) },
    { schema: make.caught(), value: same(isArk ? number : fc.oneof(number, fc.constant('x'))) },
    { schema: make.truth(), value: same(fc.boolean()), isPlain: true },
    { schema: make.choice(), value: same(fc.constantFrom(...states)), isPlain: true },
  ]
  if (library === 'zod') {
    const date = day.map((given) => ({ input: given.toISOString(), given }))
    const truth = fc.boolean().map((given) => ({ input: given ? 'true' : 'false', given }))
    const digits = fc.bigInt({ min: 0n, max: 9n }).map((given) => ({ input: String(given), given }))
    const big = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })
    const trim = (given: unknown) => (typeof given === 'string' ? given.trim() : given)
    leaves.push(
      { schema: isoDate(), value: date, isPlain: true },
      { schema: z.iso.datetime().pipe(isoDate()), value: date, isPlain: true },
      { schema: z.stringbool(), value: truth, isPlain: true },
      { schema: big, value: digits, isPlain: true },
      { schema: z.preprocess(trim, z.string()), value: same(spaced) },
      { schema: z.lazy(() => z.string()), value: same(text), isPlain: true },
    )
  }
  return fc.constantFrom(...leaves)
}

const recordOf = (parts: Readonly<Record<string, RandomValue>>): RandomValue => ({
  input: Object.fromEntries(Object.entries(parts).map(([name, { input }]) => [name, input])),
  given: Object.fromEntries(Object.entries(parts).map(([name, { given }]) => [name, given])),
})
const listOf = (parts: readonly RandomValue[]): RandomValue => ({
  input: parts.map(({ input }) => input),
  given: parts.map(({ given }) => given),
})

/** A schema of the members of an object: its value may be missing. */
function member(library: Library, inner: RandomSchema, how: number): RandomSchema {
  const make = BUILDERS[library]
  const missing = fc.constant({ input: undefined, given: undefined })
  const maybe = fc.oneof({ weight: 3, arbitrary: inner.value }, missing)
  if (how === 0) return inner
  if (how === 1) return { ...inner, schema: make.optional(inner.schema), value: maybe }
  // A default is of the shown form, which codecs of the sample have, too.
  const [sample] = fc.sample(inner.value, { numRuns: 1, seed: 7 })
  const [shown] = [sample].map((each) => shownBy(inner.schema, each?.input))
  return { ...inner, schema: make.filled(inner.schema, shown), value: maybe }
}

/** What the library itself makes of a value. */
export function shownBy(schema: unknown, input: unknown): unknown {
  if (schema instanceof ArkProperty && input === undefined) return schema.make?.()
  const own = (schema instanceof ArkProperty ? schema.inner : schema) as StandardSchema
  const result = own['~standard'].validate(input)
  if (!('value' in result)) throw new TypeError('The schema rejects its own value')
  return result.value
}

/** A schema at random, up to a depth. */
export function randomSchema(library: Library, depth: number): fc.Arbitrary<RandomSchema> {
  const make = BUILDERS[library]
  if (depth === 0) return leaf(library)
  const inner = randomSchema(library, depth - 1)
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
  const objects = names.chain((all) =>
    fc.tuple(...all.map(() => fc.tuple(inner, fc.nat(2)))).map((parts): RandomSchema => {
      const members = parts.map(([each, how]) => member(library, each, how))
      const named = (at: number) => all[at] ?? ''
      const schemas = members.map(({ schema }, at) => [named(at), schema])
      const values = Object.fromEntries(members.map(({ value }, at) => [named(at), value]))
      return {
        schema: make.object(Object.fromEntries(schemas)),
        value: fc.record(values).map(withoutMissing),
      }
    }),
  )
  const either = fc.tuple(inner, inner).map(([one, other]): RandomSchema => {
    const of = (kind: string, { value }: RandomSchema) =>
      value.map((each) => recordOf({ kind: { input: kind, given: kind }, of: each }))
    return {
      schema: make.either(one.schema, other.schema),
      value: fc.oneof(of('one', one), of('other', other)),
    }
  })
  const nullable = inner.map(({ schema, value, isPlain = false }): RandomSchema => {
    const none = fc.constant({ input: null, given: null })
    return { schema: make.nullable(schema), value: fc.oneof(value, none), isPlain }
  })
  return fc.oneof(
    leaf(library),
    objects,
    either,
    library === 'arktype' ? objects : nullable,
    inner.map(
      ({ schema, value }): RandomSchema => ({
        schema: make.list(schema),
        value: fc.array(value, { maxLength: 3 }).map(listOf),
      }),
    ),
    fc.tuple(inner, inner).map(
      ([one, other]): RandomSchema => ({
        schema: make.pair(one.schema, other.schema),
        value: fc.tuple(one.value, other.value).map(listOf),
      }),
    ),
    inner.map(
      ({ schema, value }): RandomSchema => ({
        schema: make.record(schema),
        value: fc.dictionary(fc.constantFrom('x', 'y'), value, { maxKeys: 2 }).map(recordOf),
      }),
    ),
  )
}

function withoutMissing(parts: Readonly<Record<string, RandomValue>>): RandomValue {
  return recordOf(
    Object.fromEntries(Object.entries(parts).filter(([, { input }]) => input !== undefined)),
  )
}

/** A property of an entity: its value may be missing, and may get a default. */
export function randomProperty(library: Library): fc.Arbitrary<RandomSchema> {
  return fc
    .tuple(randomSchema(library, 3), fc.constantFrom(1, 2))
    .map(([inner, how]) => member(library, inner, how))
}

/** Makes the schema of an entity. */
export function entitySchema(
  library: Library,
  properties: Readonly<Record<string, unknown>>,
): StandardSchema<unknown, object> {
  const make = BUILDERS[library]
  let count = 0
  const members = {
    p: make.lower(),
    r: make.text(),
    no: make.made(make.number(), () => ++count),
    ...properties,
  }
  return make.object(members) as StandardSchema<unknown, object>
}
