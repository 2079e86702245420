import { edmTypeOf, PropertyValueError, type RawEntity, readProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const raw: RawEntity = {
  PartitionKey: 'a',
  Timestamp: '2017-11-10T02:46:55.7383596Z',
  'big@odata.type': 'Edm.Int64',
  big: '5',
  'whole@odata.type': 'Edm.Double',
  whole: 3,
  count: 3,
  large: 2 ** 40,
  name: 'x',
  none: null,
  'typedNone@odata.type': 'Edm.Int64',
  typedNone: null,
  'odd@odata.type': 'Edm.Decimal',
  odd: '5',
  'bare@odata.type': 'Int64',
  bare: '5',
  'numeric@odata.type': 5,
  numeric: '5',
  nested: {},
  list: [],
}

describe('readProperty', () => {
  it.each([
    ['PartitionKey', 'String', 'a'],
    ['big', 'Int64', 5n],
    ['whole', 'Double', 3],
    ['count', 'Int32', 3],
    ['large', 'Double', 2 ** 40],
    ['name', 'String', 'x'],
  ] as const)('reads %s as %s', (name, type, value) => {
    expect(edmTypeOf(raw, name)).toBe(type)
    expect(readProperty(raw, name)).toMatchObject({ type, value })
  })

  it('knows the type of the Timestamp, which the service does not say', () => {
    expect(readProperty(raw, 'Timestamp')?.type).toBe('DateTime')
    expect(JSON.stringify(readProperty(raw, 'Timestamp')?.value)).toContain('.7383596Z')
  })

  it.each(['none', 'typedNone', 'absent', 'constructor', 'toString', '__proto__'])(
    'R-09: finds nothing under %s',
    (name) => {
      expect(readProperty(raw, name)).toBeUndefined()
      expect(edmTypeOf(raw, name)).toBeUndefined()
    },
  )

  it.each(['odd', 'bare', 'numeric'])('refuses the annotation of %s', (name) => {
    expect(() => readProperty(raw, name)).toThrow(PropertyValueError)
    expect(() => readProperty(raw, name)).toThrow(
      `"${name}" is annotated with an odata.type that is none`,
    )
  })

  it.each(['nested', 'list'])('refuses what is no Edm value: %s', (name) => {
    expect(() => readProperty(raw, name)).toThrow(`"${name}" holds a JSON object or array`)
  })
})
