import Entity, { type BaseType, type PropertyTypes, type Row } from '@rowkey/azure-entities'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { library } from './azure-entities-library.ts'

type TypeName =
  | 'String'
  | 'Boolean'
  | 'Number'
  | 'PositiveInteger'
  | 'Date'
  | 'UUID'
  | 'SlugId'
  | 'Blob'
  | 'Text'
  | 'JSON'

const text = fc.string({ unit: 'binary', maxLength: 300 })
const slugId = fc
  .uuid({ version: 4 })
  .map((uuid) => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url'))

/** Values of each type that both libraries accept. */
const values: readonly [TypeName, fc.Arbitrary<unknown>][] = [
  ['String', text],
  ['Boolean', fc.boolean()],
  [
    'Number',
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 62), max: 2 ** 62 }),
      fc.integer(),
      fc.maxSafeInteger(),
    ),
  ],
  ['PositiveInteger', fc.integer({ min: 0, max: 2 ** 32 })],
  [
    'Date',
    fc.date({ noInvalidDate: true, min: new Date('1601-01-01'), max: new Date('9999-12-31') }),
  ],
  [
    'UUID',
    fc.oneof(
      fc.uuid(),
      fc.uuid().map((uuid) => uuid.toUpperCase()),
    ),
  ],
  ['SlugId', slugId],
  ['Blob', fc.uint8Array({ maxLength: 200_000 }).map((bytes) => Buffer.from(bytes))],
  ['Text', text],
  ['JSON', fc.jsonValue()],
]

const typeOf = (from: typeof Entity, name: TypeName): BaseType =>
  new from.types[name]('p') as BaseType

function rowOf(type: BaseType, value: unknown): Row {
  const row: Row = {}
  type.serialize(row, value)
  return JSON.parse(JSON.stringify(row))
}

const textOf = (hash: string | Uint8Array): string =>
  typeof hash === 'string' ? hash : Buffer.from(hash).toString('hex')

describe.each(values)('any value of %s', (name, arbitrary) => {
  const [theirs, ours] = [typeOf(library, name), typeOf(Entity, name)]

  it('R-125: is stored and read alike', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const row = rowOf(theirs, value)
        expect(rowOf(ours, value)).toEqual(row)
        expect(ours.deserialize(row)).toEqual(theirs.deserialize(row))
      }),
    )
  })

  it('R-128: is hashed alike', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(textOf(ours.hash(value))).toBe(textOf(theirs.hash(value)))
      }),
    )
  })
})

describe('any key', () => {
  const { keys } = Entity

  /** Makes one key with both libraries. */
  function both(
    define: (from: typeof keys) => ReturnType<typeof keys.HashKey>,
    properties: (from: typeof Entity) => PropertyTypes,
    entity: object,
  ): readonly string[] {
    const keyOf = (from: typeof Entity): string =>
      from
        .configure({
          version: 1,
          partitionKey: define(from.keys),
          rowKey: from.keys.ConstantKey(''),
          properties: properties(from),
        })
        .prototype.__partitionKey.exact({ ...entity })
    return [keyOf(library), keyOf(Entity)]
  }

  it('R-124: of texts, numbers and dates is the same', () => {
    const properties = ({ types }: typeof Entity) => ({
      a: types.String,
      b: types.Number,
      c: types.Date,
      d: types.UUID,
    })
    const entity = fc.record({
      a: fc.string({ unit: 'grapheme', maxLength: 100 }),
      b: fc.maxSafeInteger(),
      c: fc.date({ noInvalidDate: true }),
      d: fc.uuid(),
    })
    fc.assert(
      fc.property(entity, (one) => {
        for (const define of [
          ({ StringKey }: typeof keys) => StringKey('a'),
          ({ CompositeKey }: typeof keys) => CompositeKey('a', 'b', 'c', 'd'),
          ({ HashKey }: typeof keys) => HashKey('d', 'c', 'b', 'a'),
        ]) {
          const [theirs, ours] = both(define, properties, one)
          expect(ours).toBe(theirs)
        }
      }),
    )
  })

  it('R-124: of any JSON and bytes is the same', () => {
    const properties = ({ types }: typeof Entity) => ({ a: types.JSON, b: types.Blob })
    const blob = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.record({ a: fc.jsonValue(), b: blob }), (one) => {
        const [theirs, ours] = both(({ HashKey }) => HashKey('a', 'b'), properties, one)
        expect(ours).toBe(theirs)
      }),
    )
  })

  it('R-124: of integers is the same', () => {
    const properties = ({ types }: typeof Entity) => ({ a: types.PositiveInteger })
    fc.assert(
      fc.property(fc.record({ a: fc.integer({ min: 0, max: 2 ** 32 }) }), (one) => {
        for (const define of [
          ({ AscendingIntegerKey }: typeof keys) => AscendingIntegerKey('a'),
          ({ DescendingIntegerKey }: typeof keys) => DescendingIntegerKey('a'),
        ]) {
          const [theirs, ours] = both(define, properties, one)
          expect(ours).toBe(theirs)
        }
      }),
    )
  })
})
