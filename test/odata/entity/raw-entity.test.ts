import {
  isRawEntity,
  keyOfRaw,
  parseEntityJson,
  parseEntityObject,
  timestampOfEtag,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { invalidJson, unreadable } from '../../support/rejections.ts'
import { parseSlowly } from './slow-entity-json.ts'

describe('keyOfRaw', () => {
  it('returns both halves of the key', () => {
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', x: 1 }
    expect(keyOfRaw(raw)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
  })

  it('R-36: returns an empty half for a half that the projection left out', () => {
    expect(keyOfRaw({ PartitionKey: null })).toEqual({ partitionKey: '', rowKey: '' })
  })

  it.each([5, true, {}, []])('does not read %j as a half', (half) => {
    const read = () => keyOfRaw({ PartitionKey: 'Smith', RowKey: half })
    expect(read).toThrow(unreadable)
    expect(read).toThrow(`The stored RowKey is a ${typeof half}; every key is a string.`)
    expect(read).toThrow(expect.objectContaining({ details: { property: 'RowKey' } }))
  })
})

describe('timestampOfEtag', () => {
  it.each([
    ['2017-11-10T02%3A46%3A55.7383596Z', '2017-11-10T02:46:55.7383596Z'],
    ['2017-11-10T02%3a46%3a55.7Z', '2017-11-10T02:46:55.7Z'],
    ['2017-11-10T02%3A46%3A55Z', '2017-11-10T02:46:55Z'],
  ])('R-12: reads the instant of %s', (within, text) => {
    expect(timestampOfEtag(`W/"datetime'${within}'"`)?.toJSON()).toBe(text)
  })

  it.each([
    '',
    '*',
    '"0x8D"',
    `W/"datetime'2017'"`,
    `W/"datetime'2017-13-10T02%3A46%3A55Z'"`,
    'W/""',
  ])('returns undefined for %j', (etag) => {
    expect(timestampOfEtag(etag)).toBeUndefined()
  })
})

const NUMBERS = [
  '3',
  '3.0',
  '-0.0',
  '3.05',
  '3.50',
  '1E3',
  '1.5e-3',
  '10.00',
  '-7',
  '0',
  '1.0e+21',
  '9.99',
]
/** The parts that the parser searches for, so that strings look like members. */
const PIECES = [
  '"',
  '\\',
  ':',
  ',',
  '{',
  '}',
  '3.0',
  'a',
  'é',
  '\\u00e9',
  '@odata.type',
  'Edm.Int64',
  ' ',
  '\n',
  '":3.0,"',
  '.',
  '[',
  'true',
]

const texts = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => pieces.join(''))
const names = fc.oneof(
  fc.constantFrom('a', 'b1', 'größe', '_', '__proto__', 'x', 'a-b', 'a b', 'a.b', "it's"),
  texts,
)

/** A JSON string in one of its spellings: as JSON.stringify has it, or every non-ASCII unit escaped. */
const jsonStrings = (content: fc.Arbitrary<string>) =>
  fc.tuple(content, fc.boolean()).map(([text, isAscii]) => {
    const json = JSON.stringify(text)
    const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    return isAscii ? json.replace(/[^\0-\x7f]/g, toEscape) : json
  })

const blanks = fc.constantFrom('', '', '', ' ', '\n\t ')

const { json, page } = fc.letrec<{ json: string; object: string; array: string; page: string }>(
  (tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...NUMBERS),
      jsonStrings(texts),
      fc.constantFrom('null', 'true'),
      tie('object'),
      tie('array'),
    ),
    object: fc
      .array(fc.tuple(jsonStrings(names), blanks, blanks, tie('json'), blanks), { maxLength: 5 })
      .map((members) =>
        members.map(([name, b1, b2, value, b3]) => `${name}${b1}:${b2}${value}${b3}`),
      )
      .map((members) => `{${members.join(',')}}`),
    array: fc.array(tie('json'), { maxLength: 3 }).map((values) => `[${values.join(', ')}]`),
    page: fc
      .tuple(blanks, fc.array(tie('object'), { maxLength: 4 }), blanks)
      .map(([before, rows, after]) => `{${before}"value":[${rows.join(',')}]${after}}`),
  }),
)

describe('parseEntityJson', () => {
  it('R-08: distinguishes a whole Double from an Int32', () => {
    expect(parseEntityJson('{"a":3.0,"b":3,"c":3.5,"d":1E3,"e":-0.0}')).toEqual({
      'a@odata.type': 'Edm.Double',
      a: 3,
      b: 3,
      c: 3.5,
      'd@odata.type': 'Edm.Double',
      d: 1000,
      'e@odata.type': 'Edm.Double',
      e: -0,
    })
  })

  it('finds whole Doubles in every entity of a page', () => {
    const page = parseEntityJson('{"value":[{"a":1.0},{"a":2}]}') as { value: readonly object[] }
    expect(page.value.map((entity) => 'a@odata.type' in entity)).toEqual([true, false])
  })

  it.each([
    '{"a":"x\\",\\"b\\":3.0,\\"c"}',
    '{"b":":3.0"}',
    '":3.0,"',
    '["",":3.0,"]',
    '{"a":"\\\\","b":"3.0"}',
    '{"a":["\\":3.0"]}',
  ])('does not change the strings of %s', (text) => {
    expect(parseEntityJson(text)).toEqual(JSON.parse(text))
  })

  it.each([
    'a.b',
    'a:b',
    'a"b',
    'a\\',
    'a\\"',
    '\\',
    '"',
    ':',
    ',',
    ':3.0',
    '","',
    'true,',
    '[',
    'a@b',
    'odata',
    'x@odata',
    'x.odata.y',
  ])('keeps a whole Double of a property named %j, in every place of a text', (name) => {
    const member = (other: string, value: string) => `${JSON.stringify(other)}:${value}`
    const annotation = { [`${name}@odata.type`]: 'Edm.Double' }
    for (const before of [
      '',
      '"p":3,',
      '"p":":3.0,",',
      '"p":"\\\\",',
      '"p":["\\":3.0,"],',
      '"p":{"q":[]},',
    ]) {
      for (const after of ['', ',"z":":3.0"', ',"z":"\\":3.0,"']) {
        const entity = parseEntityJson(`{${before}${member(name, '3.0')}${after}}`)
        expect(entity).toMatchObject({ ...annotation, [name]: 3 })
        const text = `{${before}${member(`${name}@odata.type`, '"Edm.Int64"')},${member(name, '3.0')}${after}}`
        expect(parseEntityJson(text)).toEqual(JSON.parse(text))
      }
    }
  })

  it.each(['odata.count', 'a@odata.count', '@odata.count'])(
    'leaves the annotation %s alone',
    (name) => {
      expect(parseEntityJson(`{"${name}":3.0}`)).toEqual({ [name]: 3 })
    },
  )

  it.each(['Edm.Double', 'Edm.Int64'])('leaves a member that says %s as it is', (type) => {
    const expected = { 'a@odata.type': type, a: 3 }
    expect(parseEntityJson(`{"a@odata.type":"${type}","a":3.0}`)).toEqual(expected)
    expect(parseEntityJson(`{"a@odata.type" : "${type}" , "a" : 3.0 }`)).toEqual(expected)
    expect(parseEntityJson(`{"a":3.0,"a@odata.type":"${type}"}`)).toEqual(expected)
  })

  it('does not apply an annotation to another member', () => {
    expect(parseEntityJson('{"b@odata.type":"Edm.Int64","a":3.0}')).toMatchObject({
      'a@odata.type': 'Edm.Double',
    })
  })

  it.each(['3', '"none"', 'null'])('does not accept %s as a type', (said) => {
    expect(parseEntityJson(`{"a@odata.type":${said},"a":3.0}`)).toEqual({
      'a@odata.type': 'Edm.Double',
      a: 3,
    })
  })

  it('keeps __proto__ as a member of its own', () => {
    const entity = parseEntityJson('{"__proto__":3.0}') as object
    expect(Object.keys(entity).sort()).toEqual(['__proto__', '__proto__@odata.type'])
    expect(Object.getPrototypeOf(entity)).toBe(Object.prototype)
  })

  longTest('gives the same result as a slow and simple parser', () => {
    fc.assert(
      fc.property(fc.oneof(json, page), (text) => {
        expect(parseEntityJson(text)).toEqual(parseSlowly(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each(['', '{', '{"a":3.0', '{a:3.0}', 'undefined', '\ufeff{}'])('throws for %j', (text) => {
    expect(() => parseEntityJson(text)).toThrow(SyntaxError)
  })

  it('parses long names, strings and lists in linear time', () => {
    const name = '\\u00e9'.repeat(20_000)
    const quotes = '\\":3.0,'.repeat(20_000)
    const text = `{"${name}x:":3.0,"b":"${quotes}","c":[${'3.0,'.repeat(20_000)}1]}`
    const annotation = { [`${JSON.parse(`"${name}"`)}x:@odata.type`]: 'Edm.Double' }
    expect(parseEntityJson(text)).toEqual({ ...JSON.parse(text), ...annotation })
  })

  it('parses in linear time when every quote must be examined', () => {
    const gap = '[1],'.repeat(20_000)
    const text = `{"a":[${gap}":3.0,"],"b":"${'\\\\\\":3.0,'.repeat(20_000)}","c":[${'":3.0,",'.repeat(20_000)}1]}`
    expect(parseEntityJson(text)).toEqual(JSON.parse(text))
  })
})

describe('parseEntityObject', () => {
  it('returns the members, and annotates whole Doubles', () => {
    expect(parseEntityObject('{"RowKey":"b","x":3.0}')).toEqual({
      RowKey: 'b',
      'x@odata.type': 'Edm.Double',
      x: 3,
    })
  })

  it.each(['[]', 'null', '3', '"a"', '', '{'])('rejects %j', (text) => {
    expect(() => parseEntityObject(text)).toThrow(invalidJson)
  })
})

describe('isRawEntity', () => {
  it('is true for objects only', () => {
    expect([{}, [], null, 3, 'a', undefined].map(isRawEntity)).toEqual([
      true,
      ...Array(5).fill(false),
    ])
  })
})
