import {
  checkCustomPropertyName,
  checkPropertyName,
  checkPropertyText,
  PropertyNameError,
  systemPropertyNames,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

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
  it.each(GOOD)('R-02: takes %j, and again', (name) => {
    expect(() => checkPropertyName(name)).not.toThrow()
    expect(() => checkPropertyName(name)).not.toThrow()
  })

  it.each(BAD)('R-02: refuses %j, and again', (name) => {
    expect(() => checkPropertyName(name)).toThrow(PropertyNameError)
    expect(() => checkPropertyName(name)).toThrow(
      'a letter or "_" and then letters, digits and "_"',
    )
  })

  it('R-02: refuses 256 units and shows only the beginning', () => {
    expect(() => checkPropertyName('x'.repeat(256))).toThrow(
      /at most 255 UTF-16 units, and "x{32}…" has 256\.$/,
    )
  })

  it.each([undefined, null, 5, Symbol('x'), {}, ['a']])('refuses %o', (name) => {
    expect(() => checkPropertyName(name)).toThrow(PropertyNameError)
  })

  it('goes on checking after a thousand names', () => {
    for (let at = 0; at < 2_100; at++) checkPropertyName(`p${at}`)
    expect(() => checkPropertyName('a-b')).toThrow(PropertyNameError)
    expect(() => checkPropertyName('p0')).not.toThrow()
  })

  it('takes the system properties, which filters and projections name', () => {
    for (const name of systemPropertyNames) expect(() => checkPropertyName(name)).not.toThrow()
  })
})

describe('checkCustomPropertyName', () => {
  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('R-05: refuses %s', (name) => {
    expect(() => checkCustomPropertyName(name)).toThrow(`"${name}" is a system property`)
  })

  it('R-02: tells names apart by case', () => {
    expect(() => checkCustomPropertyName('timestamp')).not.toThrow()
    expect(() => checkCustomPropertyName('partitionKey')).not.toThrow()
  })

  it('refuses what is no name', () => {
    expect(() => checkCustomPropertyName('odata.etag')).toThrow(PropertyNameError)
    expect(() => checkCustomPropertyName(undefined)).toThrow(PropertyNameError)
  })
})

describe('checkPropertyText', () => {
  it.each([...GOOD, ...BAD, 'x'.repeat(256)])('leaves %j to the service', (name) => {
    expect(() => checkPropertyText(name)).not.toThrow()
  })

  it.each(['odata.etag', 'odata.', 'age@odata.type', '@odata.type'])(
    'rejects %s, an annotation of the protocol',
    (name) => {
      expect(() => checkPropertyText(name)).toThrow(
        `"${name}" is refused: the protocol reserves "odata.…" and "…@odata.…" for annotations`,
      )
    },
  )

  it.each(['x.odata.y', 'myodata.type', 'a@b', 'odata', 'a.b', 'a:b'])('takes %s', (name) => {
    expect(() => checkPropertyText(name)).not.toThrow()
  })

  it.each(['\ud800', 'a\udc00b'])('refuses %j, which UTF-8 cannot carry', (name) => {
    expect(() => checkPropertyText(name)).toThrow(PropertyNameError)
  })

  it.each([...systemPropertyNames])(
    'R-05: refuses %s, also after it was taken elsewhere',
    (name) => {
      checkPropertyName(name)
      expect(() => checkPropertyText(name)).toThrow(`"${name}" is a system property`)
    },
  )

  it.each([undefined, null, 5, Symbol('x'), {}, ['a']])('refuses %o', (name) => {
    expect(() => checkPropertyText(name)).toThrow(PropertyNameError)
  })
})
