import type { BaseType, Row } from '@rowkey/azure-entities'
import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { chunk, roundTrip, serialized } from './stored-value.ts'

const { types } = Entity

/** A value that contains itself, which JSON cannot hold. */
function ring(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

const uuid = 'F47AC10B-58CC-4372-A567-0E02B2C3D479'
const slugId = 'nvItOmAyRiOvSSWCAHkobQ'

/** The rows of azure-entities 5.5.6. */
const stored: readonly [string, BaseType, unknown, Row][] = [
  ['String', new types.String('p'), 'aé', { p: 'aé' }],
  ['Boolean', new types.Boolean('p'), false, { p: false }],
  ['Number', new types.Number('p'), 42.5, { p: 42.5 }],
  ['Number', new types.Number('p'), 2 ** 31 - 1, { p: 2_147_483_647 }],
  ['Number', new types.Number('p'), 2 ** 31, { p: '2147483648', 'p@odata.type': 'Edm.Int64' }],
  ['Number', new types.Number('p'), -(2 ** 31), { p: '-2147483648', 'p@odata.type': 'Edm.Int64' }],
  [
    'Number',
    new types.Number('p'),
    18_014_398_509_487_792,
    { p: '18014398509487790', 'p@odata.type': 'Edm.Int64' },
  ],
  ['Number', new types.Number('p'), 1e300, { p: 1e300, 'p@odata.type': 'Edm.Double' }],
  ['PositiveInteger', new types.PositiveInteger('p'), 7, { p: 7 }],
  [
    'Date',
    new types.Date('p'),
    new Date(0),
    { p: '1970-01-01T00:00:00.000Z', 'p@odata.type': 'Edm.DateTime' },
  ],
  ['UUID', new types.UUID('p'), uuid, { p: uuid, 'p@odata.type': 'Edm.Guid' }],
  [
    'SlugId',
    new types.SlugId('p'),
    slugId,
    { p: '9ef22d3a-6032-4623-af49-25820079286d', 'p@odata.type': 'Edm.Guid' },
  ],
  ['Blob', new types.Blob('p'), Buffer.from('ab'), chunk('ab')],
  ['Text', new types.Text('p'), 'té', chunk('té')],
  ['Text', new types.Text('p'), '', { __bufchunks_p: 0 }],
  ['JSON', new types.JSON('p'), { b: [1], a: null }, chunk('{"b":[1],"a":null}')],
  ['JSON', new types.JSON('p'), null, chunk('null')],
  ['Schema', new (types.Schema({ type: 'object' }))('p'), { a: 1 }, chunk('{"a":1}')],
]

describe('a property type', () => {
  it.each(stored)('R-125: %s is stored as azure-entities stores it', (_name, type, value, row) => {
    expect(serialized(type, value)).toEqual(row)
    expect(roundTrip(type, value)).toEqual(value)
  })

  it.each([
    ['String', new types.String('p'), 5],
    ['Boolean', new types.Boolean('p'), 'true'],
    ['Number', new types.Number('p'), Number.NaN],
    ['Number', new types.Number('p'), '5'],
    ['PositiveInteger', new types.PositiveInteger('p'), 1.5],
    ['PositiveInteger', new types.PositiveInteger('p'), -1],
    ['PositiveInteger', new types.PositiveInteger('p'), 2 ** 32 + 1],
    ['Date', new types.Date('p'), new Date(Number.NaN)],
    ['Date', new types.Date('p'), '2020-01-01'],
    ['UUID', new types.UUID('p'), 'nope'],
    ['UUID', new types.UUID('p'), `0${uuid}`],
    ['UUID', new types.UUID('p'), `${uuid}0`],
    ['SlugId', new types.SlugId('p'), '______________________'],
    ['Blob', new types.Blob('p'), 'text'],
    ['Text', new types.Text('p'), 5],
    ['JSON', new types.JSON('p'), undefined],
    ['JSON', new types.JSON('p'), () => {}],
    ['String', new types.String('p'), 'a\ud800'],
    ['Text', new types.Text('p'), 'a\ud800'],
    ['EncryptedText', new types.EncryptedText('p'), 'a\ud800'],
    ['Date', new types.Date('p'), new Date(Date.UTC(1600, 11, 31))],
    ['Date', new types.Date('p'), new Date(Date.UTC(10_000, 0))],
    ['JSON', new types.JSON('p'), Number.NaN],
    ['JSON', new types.JSON('p'), { big: 1n }],
    ['JSON', new types.JSON('p'), ring()],
    ['JSON', new types.JSON('p'), { toJSON: () => undefined }],
    ['Schema', new (types.Schema({ type: 'object' }))('p'), new Date(0)],
    ['SlugIdArray', new types.SlugIdArray('p'), [slugId]],
  ])('%s rejects other values and names the property', (_name, type, value) => {
    expect(() => serialized(type as BaseType, value)).toThrow(
      expect.objectContaining({ code: 'InvalidValue', details: { property: 'p' } }),
    )
  })

  it.each([
    ['String', new types.String('p'), 5, '5'],
    ['Number', new types.Number('p'), 'secret', 'a value of type string'],
    ['Date', new types.Date('p'), null, 'null'],
    ['Date', new types.Date('p'), new Date(Number.NaN), 'an invalid date'],
    ['Text', new types.Text('p'), 5, '5'],
    ['Text', new types.Text('p'), null, 'null'],
    ['Blob', new types.Blob('p'), 'secret', 'a value of type string'],
  ])('%s says what it got, but not a text: %o', (_name, type, value, found) => {
    expect(() => serialized(type as BaseType, value)).toThrow(new RegExp(`, got ${found}\\.$`))
  })

  it.each([
    ['String', new types.String('p'), {}],
    ['Number', new types.Number('p'), { p: 'five' }],
    ['Date', new types.Date('p'), { p: 'today' }],
    ['SlugId', new types.SlugId('p'), { p: 5 }],
    ['Blob', new types.Blob('p'), {}],
    ['Blob', new types.Blob('p'), { __bufchunks_p: 1 }],
    ['Blob', new types.Blob('p'), { __bufchunks_p: 1e10 }],
    ['Blob', new types.Blob('p'), { __bufchunks_p: -1 }],
    ['JSON', new types.JSON('p'), chunk('{')],
  ])('%s rejects a stored value that does not fit', (_name, type, row) => {
    expect(() => (type as BaseType).deserialize(row)).toThrow(
      expect.objectContaining({ code: 'UnreadableProperty', details: { property: 'p' } }),
    )
  })
})

describe('values', () => {
  it('are equal when they mean the same', () => {
    expect(new types.Date('p').equal(new Date(5), new Date(5))).toBe(true)
    expect(new types.UUID('p').equal(uuid, uuid.toLowerCase())).toBe(true)
    expect(new types.Blob('p').equal(Buffer.from('a'), Buffer.from('a'))).toBe(true)
    expect(new types.JSON('p').equal({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(new types.JSON('p').equal([1, 2], [2, 1])).toBe(false)
  })
})
