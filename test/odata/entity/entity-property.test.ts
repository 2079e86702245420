import { DateTimeValue, DynamicEntity, EDM_TYPES, EntityProperty } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { invalidValue, unreadable } from '../../support/rejections.ts'
import { arbitraryProperty } from '../arbitrary-values.ts'

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

describe('EntityProperty', () => {
  it('R-96: has a function for each type', () => {
    const made = [
      EntityProperty.binary(Uint8Array.of(1).buffer),
      EntityProperty.boolean(true),
      EntityProperty.dateTime(new Date(0)),
      EntityProperty.double(3),
      EntityProperty.guid(GUID.toUpperCase()),
      EntityProperty.int32(3),
      EntityProperty.int64(3),
      EntityProperty.string('3'),
    ]
    expect(made.map(({ type }) => type)).toEqual(EDM_TYPES)
    expect(made.map(({ value }) => value)).toEqual([
      Uint8Array.of(1),
      true,
      new Date(0),
      3,
      GUID,
      3,
      3n,
      '3',
    ])
  })

  it.each([
    () => EntityProperty.int32(1.5),
    () => EntityProperty.double('1' as never),
    () => EntityProperty.string(5 as never),
    () => EntityProperty.boolean(1 as never),
    () => EntityProperty.int64(0.5),
    () => EntityProperty.guid('x'),
    () => EntityProperty.dateTime(new Date(Number.NaN)),
    () => EntityProperty.binary([] as never),
    () => EntityProperty.of(null),
    () => EntityProperty.of(undefined),
    () => EntityProperty.of({}),
    () => EntityProperty.of(5, 'Edm.Int32' as never),
    () => EntityProperty.of(5, '__proto__' as never),
  ])('rejects a value that the type does not hold: %s', (make) => {
    expect(make).toThrow(invalidValue)
  })

  it('does not read JSON of another type', () => {
    expect(() => EntityProperty.read('Int64', 'abc')).toThrow(unreadable)
  })

  it('names the property of a value that no type holds', () => {
    expect(() => EntityProperty.of({}, undefined, 'address')).toThrow(
      /^Property "address": an object cannot be stored\. Use a string, .* as JSON text\.$/,
    )
  })

  it('returns a property of the type as it is', () => {
    const property = EntityProperty.double(3)
    expect(EntityProperty.of(property)).toBe(property)
    expect(EntityProperty.of(property, 'Double')).toBe(property)
  })

  it('converts a property to another type when nothing is lost', () => {
    expect(EntityProperty.of(EntityProperty.int32(3), 'Int64').value).toBe(3n)
    expect(() => EntityProperty.of(EntityProperty.double(3.5), 'Int64')).toThrow(invalidValue)
  })

  it('R-161: returns its value as its own type only', () => {
    const property = EntityProperty.of(5n)
    expect(property.as('Int64')).toBe(5n)
    expect(() => property.as('Int32')).toThrow(
      "stored as Int64, not as Int32. Read it with as('Int64').",
    )
  })

  it('equals a property of the same type and bits', () => {
    expect(EntityProperty.double(Number.NaN).equals(EntityProperty.double(Number.NaN))).toBe(true)
    expect(EntityProperty.double(0).equals(EntityProperty.double(-0))).toBe(false)
    expect(EntityProperty.double(3).equals(EntityProperty.int32(3))).toBe(false)
    expect(EntityProperty.of(new DateTimeValue(0, 1)).equals(EntityProperty.of(new Date(0)))).toBe(
      false,
    )
    expect(EntityProperty.of(Buffer.from('a')).equals(EntityProperty.of(Uint8Array.of(97)))).toBe(
      true,
    )
  })

  it('equals itself', () => {
    fc.assert(
      fc.property(arbitraryProperty, (property) => {
        expect(property.equals(EntityProperty.of(property.value, property.type))).toBe(true)
      }),
    )
  })
})

/** Loads another copy of the package, as a program has one with ESM and one with CommonJS. */
async function otherCopy(): Promise<typeof import('@rowkey/odata')> {
  vi.resetModules()
  return import('@rowkey/odata')
}

describe('two copies of the package', () => {
  it("recognize each other's entities and properties", async () => {
    const other = await otherCopy()
    expect(other.DynamicEntity).not.toBe(DynamicEntity)
    const entity = new other.DynamicEntity('Smith', 'Jeff', { points: 100n })
    expect(entity).toBeInstanceOf(DynamicEntity)
    expect(entity.get('points')).toBeInstanceOf(EntityProperty)
    const copy = new DynamicEntity('Smith', 'Jeff', entity.properties)
    expect(copy.get('points')).toBe(entity.get('points'))
  })

  it('recognize nothing else', () => {
    for (const value of [undefined, null, 'text', {}, { properties: new Map() }, () => 1]) {
      expect(value).not.toBeInstanceOf(DynamicEntity)
      expect(value).not.toBeInstanceOf(EntityProperty)
    }
  })
})

it('a subclass recognizes only its own objects', () => {
  class Person extends DynamicEntity {}
  const person = new Person('Smith', 'Jeff')
  expect(person).toBeInstanceOf(Person)
  expect(person).toBeInstanceOf(DynamicEntity)
  expect(new DynamicEntity('Smith', 'Jeff')).not.toBeInstanceOf(Person)
})
