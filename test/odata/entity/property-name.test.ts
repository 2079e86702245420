import {
  annotationName,
  checkCustomPropertyName,
  checkPropertyName,
  checkPropertyText,
  isAnnotation,
  systemPropertyNames,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { invalidName } from '../../support/rejections.ts'

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
