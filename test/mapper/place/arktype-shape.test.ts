import { scope, type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { formOf } from '../../../packages/mapper/src/place/value-form.ts'
import { EntitySchema } from '../../../packages/mapper/src/schema/entity-schema.ts'

const schemaOf = (definition: string | object) =>
  new EntitySchema('t', type({ a: definition } as never))
const formIn = (definition: string | object) => {
  const place = schemaOf(definition).properties.get('a')
  return place && formOf(place)
}
const shownBy = (definition: string | object) => schemaOf(definition).showPart({}, ['a']).values.a

describe('arktypeShape', () => {
  it.each([
    ['String', 'string'],
    ['String', 'string.email'],
    ['String', 'string >= 3'],
    ['Guid', 'string.uuid'],
    ['Guid', 'string.uuid | null'],
    ['Double', 'number'],
    ['Double', 'number.integer'],
    ['Double', '0 <= number <= 9'],
    ['Int32', '0 <= number.integer <= 9'],
    ['Double', '0 <= number.integer <= 2147483648'],
    ['Int64', 'bigint'],
    ['Boolean', 'boolean'],
    ['DateTime', 'Date'],
    ['DateTime', 'Date | null'],
    ['Binary', 'TypedArray.Uint8'],
    ['String', "'a' | 'b'"],
    ['Int32', '1 | 2'],
    ['Double', '1 | 2.5'],
  ])('%s is the type of %s', (edmType, definition) => {
    expect(formIn(definition)?.type).toBe(edmType)
  })

  it.each(['unknown', 'null', 'string | number', 'string.numeric.parse', 'string[]', 'Map'])(
    'returns no type for %s',
    (definition) => {
      expect(formIn(definition)?.type).toBeUndefined()
    },
  )

  it.each([
    ['string', undefined],
    ["string = 'x'", 'x'],
    ['number = 3', 3],
    ['Date | null', null],
  ])('%s shows, where nothing is stored, %s', (definition, value) => {
    expect(shownBy(definition)).toBe(value)
  })

  it.each([
    [true, 'string[]'],
    [true, { b: 'string' }],
    [false, 'string'],
    [false, 'Map'],
  ])('JSON stores the values: %s for %o', (isJson, definition) => {
    expect(formIn(definition)?.isJson).toBe(isJson)
  })

  it('reads optional properties, and types in themselves', () => {
    const node = scope({ node: { name: 'string', 'next?': 'node' } }).export().node
    const { properties } = new EntitySchema('t', type({ 'a?': 'string', 'tree?': node }))
    expect([...properties].map(([name, place]) => [name, formOf(place)])).toEqual([
      ['a', { type: 'String', isJson: false }],
      ['tree', { type: undefined, isJson: true }],
    ])
  })

  it('accepts keywords that change text, and stores what they return', () => {
    const schema = schemaOf('string.trim')
    expect(schema.check({ a: ' x ' })).toEqual({ values: { a: 'x' }, issues: [] })
    expect(schema.hasNormalForm('a')).toBe(true)
  })
})
