import Entity, { type ConfigureOptions } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'

const { keys, types } = Entity
const first = {
  version: 1,
  partitionKey: keys.StringKey('pk'),
  rowKey: keys.StringKey('rk'),
  properties: { pk: types.String, rk: types.Number },
}
const migrate = (item: object) => ({ ...item, value: 'none' }) as never
const second = {
  version: 2,
  properties: { ...first.properties, value: types.String },
  migrate,
}
const configure = (options: object) => Entity.configure(options as ConfigureOptions)

describe('configure', () => {
  it('R-123: makes a class of a version, its keys and its properties', () => {
    const Item = configure(first)
    expect(Item.prototype).toBeInstanceOf(Entity)
    expect(Item.__properties).toBe(first.properties)
  })

  it.each<readonly [string, object]>([
    ['version 2 first', { ...first, version: 2 }],
    ['no version', { ...first, version: undefined }],
    ['no keys', { version: 1, properties: first.properties }],
    ['no properties', { ...first, properties: undefined }],
    ['a type that is not a class', { ...first, properties: { pk: 'String', rk: types.String } }],
    ['a class of JavaScript as a type', { ...first, properties: { pk: String, rk: types.Number } }],
    ['a class that cannot take a name', { ...first, properties: { pk: Map, rk: types.Number } }],
    ['the base of types', { ...first, properties: { pk: types.BaseType, rk: types.Number } }],
    [
      'a Schema without its schema',
      { ...first, properties: { pk: types.Schema, rk: types.Number } },
    ],
    ['a key that was not made', { ...first, partitionKey: keys.StringKey }],
    ['signEntities that is text', { ...first, signEntities: 'yes' }],
    [
      'the property "_etag"',
      { ...first, properties: { ...first.properties, _etag: types.String } },
    ],
    ['a context that is not an array', { ...first, context: 'config' }],
    ['the context of a property', { ...first, context: ['pk'] }],
    ['a reserved context', { ...first, context: ['modify'] }],
    ...[
      'PartitionKey',
      'Version',
      'Signature',
      'version',
      '_version',
      'remove',
      '__x',
      '1a',
      'a b',
      '',
    ].map(
      (name) =>
        [
          `the property "${name}"`,
          { ...first, properties: { ...first.properties, [name]: types.String } },
        ] as const,
    ),
  ])('R-123: rejects %s', (_what, options) => {
    expect(() => configure(options)).toThrow(
      expect.objectContaining({ code: 'InvalidConfiguration' }),
    )
  })

  it.each(['serialize', 'deserialize'])('R-123: rejects a type that has only %s', (method) => {
    class Half {}
    Object.assign(Half.prototype, { [method]: () => undefined })
    const options = { ...first, properties: { ...first.properties, half: Half } }
    expect(() => configure(options)).toThrow(
      expect.objectContaining({ code: 'InvalidConfiguration' }),
    )
  })

  it('R-123: takes any constructor of a type, also a bound one and one without a prototype of its methods', () => {
    class Upper extends types.BaseType<string> {
      override serialize = (target: Record<string, unknown>, value: string) => {
        target[this.property] = value.toUpperCase()
      }
      override deserialize = (source: Record<string, unknown>) => String(source[this.property])
      override equal = (one: string, other: string) => one === other
      override clone = (value: string) => value
    }
    const own = { bound: types.String.bind(null), upper: Upper }
    const options = { ...first, properties: { ...first.properties, ...own } }
    expect(() => configure(options)).not.toThrow()
    const isFor = { isComparable: false, isOrdered: false, isEncrypted: false }
    expect(new Upper('upper')).toMatchObject(isFor)
  })

  it('R-123: rejects an unknown option by name', () => {
    expect(() => configure({ ...first, signEntites: true })).toThrow(
      /configure has no option 'signEntites'/,
    )
  })

  it('R-123: accepts a dash in a name, as that library does', () => {
    const properties = { ...first.properties, 'a-b': types.String }
    expect(() => configure({ ...first, properties })).not.toThrow()
  })

  it('R-124: rejects a key of undeclared properties', () => {
    expect(() => configure({ ...first, properties: { rk: types.Number } })).toThrow(
      expect.objectContaining({ code: 'InvalidKey' }),
    )
  })
})

describe('the next version', () => {
  const Item = Entity.configure(first)
  const next = (options: object) => Item.configure(options as ConfigureOptions)

  it('R-129: goes up by 1 and needs migrate', () => {
    expect(() => next(second)).not.toThrow()
    for (const wrong of [
      { ...second, version: 3 },
      { ...second, version: 1 },
      { ...second, migrate: undefined },
    ]) {
      expect(() => next(wrong)).toThrow(expect.objectContaining({ code: 'InvalidConfiguration' }))
    }
  })

  it('R-129: may repeat its keys and cannot change them', () => {
    const { partitionKey, rowKey } = first
    expect(() => next({ ...second, partitionKey: keys.StringKey('pk'), rowKey })).not.toThrow()
    for (const wrong of [
      { ...second, partitionKey: keys.StringKey('value') },
      { ...second, partitionKey: keys.HashKey('pk') },
      { ...second, rowKey: partitionKey },
    ]) {
      expect(() => next(wrong)).toThrow(/cannot change after version 1/)
    }
    expect(() => next({ ...second, rowKey: null })).toThrow(/rowKey must be a key of Entity.keys/)
  })

  it('R-129: keeps the names and the types of the properties in its keys', () => {
    for (const properties of [
      { rk: types.Number },
      { pk: types.Number, rk: types.Number },
      { pk2: types.String, rk: types.Number },
    ]) {
      expect(() => next({ ...second, properties })).toThrow(/must keep its name and its type/)
    }
  })

  it('R-128: states signEntities once a version has signed', () => {
    const Signed = configure({ ...first, signEntities: true })
    expect(() => Signed.configure(second as never)).toThrow(/signEntities is required/)
    const Unsigned = Signed.configure({ ...second, signEntities: false } as never)
    const third = { ...second, version: 3 }
    expect(() => Unsigned.configure(third as never)).toThrow(/signEntities is required/)
  })
})
