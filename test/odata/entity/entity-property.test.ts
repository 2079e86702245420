import {
  annotationName,
  checkCustomPropertyName,
  checkPropertyName,
  checkPropertyText,
  DateTimeValue,
  DynamicEntity,
  EDM_TYPES,
  EntityProperty,
  systemPropertyNames,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { isAnnotation } from '../../../packages/odata/src/entity/entity-property.ts'
import { invalidName, invalidValue, unreadable } from '../../support/rejections.ts'
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

const GOOD = [
  'a',
  '_',
  'A1',
  'größe',
  'имя',
  '名前',
  'x'.repeat(255),
  '__proto__',
  'constructor',
  'a\u0301',
]
const BAD = [
  '',
  '1a',
  'a-b',
  'a.b',
  'a b',
  ' a',
  'a\n',
  'a@b',
  "a'",
  'a"',
  '\ue000',
  'a\0',
  '😀',
  '\u0301a',
]

describe('checkPropertyName', () => {
  it.each(GOOD)('R-02: accepts %j, also the second time', (name) => {
    expect(() => checkPropertyName(name)).not.toThrow()
    expect(() => checkPropertyName(name)).not.toThrow()
  })

  it.each(BAD)('R-02: rejects %j, also the second time', (name) => {
    expect(() => checkPropertyName(name)).toThrow(invalidName)
    expect(() => checkPropertyName(name)).toThrow(
      'it must be a letter or "_" with letters, digits and "_" after it.',
    )
  })

  it('R-02: rejects 256 units and shows only the beginning', () => {
    expect(() => checkPropertyName('x'.repeat(256))).toThrow(
      /^The property name "x{32}…" has 256 UTF-16 units; the limit is 255\.$/,
    )
  })

  it.each([undefined, null, 5, Symbol('x'), {}, ['a']])('rejects %o', (name) => {
    expect(() => checkPropertyName(name)).toThrow(invalidName)
  })

  it('still checks after a thousand names', () => {
    for (let at = 0; at < 2_100; at++) checkPropertyName(`p${at}`)
    expect(() => checkPropertyName('a-b')).toThrow(invalidName)
    expect(() => checkPropertyName('p0')).not.toThrow()
  })

  it('accepts the system properties, which filters and projections name', () => {
    for (const name of systemPropertyNames) expect(() => checkPropertyName(name)).not.toThrow()
  })
})

describe('checkCustomPropertyName', () => {
  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('R-05: rejects %s', (name) => {
    expect(() => checkCustomPropertyName(name)).toThrow(`"${name}" is a system property`)
  })

  it('R-02: distinguishes names by case', () => {
    expect(() => checkCustomPropertyName('timestamp')).not.toThrow()
    expect(() => checkCustomPropertyName('partitionKey')).not.toThrow()
  })

  it('rejects an annotation and undefined', () => {
    expect(() => checkCustomPropertyName('odata.etag')).toThrow(invalidName)
    expect(() => checkCustomPropertyName(undefined)).toThrow(invalidName)
  })
})

describe('checkPropertyText', () => {
  it.each([...GOOD, ...BAD, 'x'.repeat(256)])('accepts %j, so that the service decides', (name) => {
    expect(() => checkPropertyText(name)).not.toThrow()
  })

  it.each(['odata.etag', 'odata.', 'age@odata.type', '@odata.type'])(
    'rejects %s, an annotation of the protocol',
    (name) => {
      expect(() => checkPropertyText(name)).toThrow(
        `"${name}" is not a valid property name: the protocol reserves "odata.…" and "…@odata.…" for annotations. Choose another name.`,
      )
    },
  )

  it.each(['x.odata.y', 'myodata.type', 'a@b', 'odata', 'a.b', 'a:b'])('accepts %s', (name) => {
    expect(() => checkPropertyText(name)).not.toThrow()
  })

  it.each(['\ud800', 'a\udc00b'])('rejects %j, which UTF-8 cannot carry', (name) => {
    expect(() => checkPropertyText(name)).toThrow(invalidName)
  })

  it.each([...systemPropertyNames])(
    'R-05: rejects %s, also after checkPropertyName has accepted it',
    (name) => {
      checkPropertyName(name)
      expect(() => checkPropertyText(name)).toThrow(`"${name}" is a system property`)
    },
  )

  it.each([undefined, null, 5, Symbol('x'), {}, ['a']])('rejects %o', (name) => {
    expect(() => checkPropertyText(name)).toThrow(invalidName)
  })
})

describe('isAnnotation', () => {
  it.each([
    'odata.etag',
    'odata.metadata',
    'age@odata.type',
    'a.b@odata.type',
    'a@b@odata.type',
    '@odata.type',
  ])('is true for %s', (member) => {
    expect(isAnnotation(member)).toBe(true)
  })

  it.each(['age', 'a.b', 'a:b', 'x.odata.y', 'odata', 'a@b', 'a@odata.type@b', 'Odata.etag', ''])(
    'is false for %j',
    (member) => {
      expect(isAnnotation(member)).toBe(false)
    },
  )
})

describe('annotationName', () => {
  it('is the name of the member that gives the type', () => {
    expect(annotationName('p')).toBe('p@odata.type')
  })
})
