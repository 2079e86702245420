import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { arktypeProperties } from '../../../packages/mapper/src/schema/arktype-properties.ts'

const property = (definition: string | object) =>
  arktypeProperties(type({ a: definition } as never))?.get('a')

describe('arktypeProperties', () => {
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
    expect(property(definition)?.type).toBe(edmType)
  })

  it.each(['unknown', 'null', 'string | number', 'string.numeric.parse', 'string[]', 'Map'])(
    'returns no type for %s',
    (definition) => {
      expect(property(definition)?.type).toBeUndefined()
    },
  )

  it.each([
    ['string', undefined],
    ["string = 'x'", 'x'],
    ['number = 3', 3],
    ['Date | null', null],
  ])('%s begins as %s', (definition, value) => {
    expect(property(definition)?.initial()).toBe(value)
  })

  it.each([
    [true, 'string[]'],
    [true, { b: 'string' }],
    [false, 'string'],
    [false, 'Map'],
  ])('JSON stores the values: %s for %o', (isJson, definition) => {
    expect(property(definition)?.isJson).toBe(isJson)
  })

  it('reads optional properties, and nothing but objects', () => {
    expect(arktypeProperties(type({ 'a?': 'string' }))?.get('a')?.type).toBe('String')
    expect(arktypeProperties(type('string'))).toBeUndefined()
    expect(arktypeProperties(z.object({}))).toBeUndefined()
  })
})
