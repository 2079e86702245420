import { DateTimeValue, edmCodecs } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRow, printRow } from '../../../packages/local/src/durable/durable-table.ts'
import {
  decodeProperties,
  readMembers,
} from '../../../packages/local/src/entity/decode-properties.ts'
import {
  encodeElement,
  encodeEntity,
  encodePageEnds,
} from '../../../packages/local/src/entity/encode-entity.ts'
import type { StoredProperty } from '../../../packages/local/src/entity/entity-text.ts'
import type { MetadataLevel } from '../../../packages/local/src/request/content-negotiation.ts'
import { escapeJson } from '../../../packages/local/src/response/service-response.ts'
import { decodedProperties, storedRow } from '../../support/stored-row.ts'

const body = {
  text: 'é',
  whole: 5,
  truth: true,
  'big@odata.type': 'Edm.Int64',
  big: '9007199254740993',
  'double@odata.type': 'Edm.Double',
  double: 3,
  'nan@odata.type': 'Edm.Double',
  nan: 'NaN',
  'when@odata.type': 'Edm.DateTime',
  when: '2017-11-10T02:46:55.7383590Z',
  'id@odata.type': 'Edm.Guid',
  id: 'C9DA6455-213D-42C9-9A79-3E9149A57833',
  'bytes@odata.type': 'Edm.Binary',
  bytes: 'AQL/',
}
const row = storedRow(
  { partitionKey: "O'Brien", rowKey: 'a b' },
  new DateTimeValue(Date.UTC(2026, 10, 20, 12), 7),
  decodedProperties(decodeProperties(readMembers(JSON.stringify(body)))),
)
const place = { base: 'http://localhost/contoso', account: 'contoso', table: 'people' }
const etag = '"odata.etag":"W/\\"datetime\'2026-11-20T12%3A00%3A00.0000007Z\'\\""'
const keys = '"PartitionKey":"O\'Brien","RowKey":"a b"'
const stamp = '"Timestamp":"2026-11-20T12:00:00.0000007Z"'
const annotated =
  '"text":"\\u00e9","whole":5,"truth":true,"big@odata.type":"Edm.Int64","big":"9007199254740993","double":3.0,"nan@odata.type":"Edm.Double","nan":"NaN","when@odata.type":"Edm.DateTime","when":"2017-11-10T02:46:55.738359Z","id@odata.type":"Edm.Guid","id":"c9da6455-213d-42c9-9a79-3e9149a57833","bytes@odata.type":"Edm.Binary","bytes":"AQL/"'

describe('encodeEntity', () => {
  it('R-08: encodes every type with its annotation', () => {
    expect(encodeEntity(row, { ...place, level: 'minimalmetadata' })).toBe(
      `{"odata.metadata":"http://localhost/contoso/$metadata#people/@Element",${etag},${keys},${stamp},${annotated}}`,
    )
  })

  it('leaves out all control information without metadata', () => {
    const bare = annotated.replace(/"\w+@odata\.type":"[^"]+",/g, '')
    expect(encodeEntity(row, { ...place, level: 'nometadata' })).toBe(`{${keys},${stamp},${bare}}`)
  })

  it('adds type, id and link in full metadata', () => {
    const path = "people(PartitionKey='O''Brien',RowKey='a%20b')"
    expect(encodeEntity(row, { ...place, level: 'fullmetadata' })).toBe(
      `{"odata.metadata":"http://localhost/contoso/$metadata#people/@Element","odata.type":"contoso.people","odata.id":"http://localhost/contoso/${path}",${etag},"odata.editLink":"${path}",${keys},"Timestamp@odata.type":"Edm.DateTime",${stamp},${annotated}}`,
    )
  })

  it('encodes selected members in the order of the row, and missing ones as null', () => {
    const select = { select: new Set(['big', 'none', 'RowKey']), selectText: 'big,none,RowKey' }
    expect(encodeEntity(row, { ...place, ...select, level: 'minimalmetadata' })).toBe(
      `{"odata.metadata":"http://localhost/contoso/$metadata#people/@Element&$select=big,none,RowKey",${etag},"RowKey":"a b","big@odata.type":"Edm.Int64","big":"9007199254740993","none":null}`,
    )
  })
})

describe('encodeElement', () => {
  const show = (level: MetadataLevel, ...names: string[]) =>
    encodeElement(row, { ...place, level, select: new Set(names) })

  it('encodes selected members at every level', () => {
    expect(show('nometadata', 'nan', 'Timestamp')).toBe(`{${stamp},"nan":"NaN"}`)
    expect(show('minimalmetadata', 'whole')).toBe(`{${etag},"whole":5}`)
    expect(show('fullmetadata', 'Timestamp')).toContain(
      `"Timestamp@odata.type":"Edm.DateTime",${stamp}}`,
    )
  })

  it.each([
    ':',
    '"',
    '\\',
    'big":"9007199254740993',
    'big@odata.type',
    '":5,"truth',
    ' whole',
    'Whole',
    'whole"',
    '',
  ])('finds no property %j', (name) => {
    expect(show('nometadata', name)).toBe(`{${JSON.stringify(name)}:null}`)
  })

  it('does not take text in a value for an annotation', () => {
    const value = '"x@odata.type":"Edm.Int64","Timestamp":1,'
    const properties = new Map([['text', { type: 'String', value } as const]])
    const tricky = storedRow({ partitionKey: value, rowKey: value }, row.timestamp, properties)
    const text = JSON.stringify(value)
    const members = (timestamp: string) =>
      `"PartitionKey":${text},"RowKey":${text},${timestamp},"text":${text}}`
    expect(encodeElement(tricky, { ...place, level: 'nometadata' })).toBe(`{${members(stamp)}`)
    expect(encodeElement(tricky, { ...place, level: 'fullmetadata' })).toContain(
      members(`"Timestamp@odata.type":"Edm.DateTime",${stamp}`),
    )
  })
})

describe('encodePageEnds', () => {
  it('encodes what is around the rows in value', () => {
    const format = { ...place, level: 'nometadata', select: new Set(['whole']) } as const
    const element = encodeElement(row, format)
    expect(encodePageEnds(format).join(`${element},${element}`)).toBe(
      '{"value":[{"whole":5},{"whole":5}]}',
    )
    expect(encodePageEnds({ ...place, level: 'minimalmetadata' }).join('')).toBe(
      '{"odata.metadata":"http://localhost/contoso/$metadata#people","value":[]}',
    )
  })
})

/** Pieces that code could mistake for other syntax. */
const texts = fc
  .array(
    fc.constantFrom(
      ...'"\\:,{é\u2028'.split(''),
      '@odata.type',
      '"A":',
      '"A@odata.type":"Edm.Guid",',
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''))
const NAMES = ['AA', 'A', 'größe', 'Timestamps', '__proto__', 'RowKeys']
const values: fc.Arbitrary<StoredProperty> = fc.oneof(
  texts.map((value) => ({ type: 'String', value }) as const),
  fc.double().map((value) => ({ type: 'Double', value }) as const),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => ({ type: 'Int64', value }) as const),
)
const properties = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), values), {
  selector: ([name]) => name,
})
const written = fc
  .tuple(texts, texts, properties)
  .map(([partitionKey, rowKey, entries]) =>
    storedRow({ partitionKey, rowKey }, row.timestamp, new Map(entries)),
  )

/** Returns one member, made from its value only. */
function memberOf(
  name: string,
  property: StoredProperty | undefined,
  isAnnotated: boolean,
): string {
  if (property === undefined) return `"${name}":null`
  const { type, value } = property
  const isTyped = type === 'Int64' || (type === 'Double' && !Number.isFinite(value))
  const annotation = isAnnotated && isTyped ? `"${name}@odata.type":"Edm.${type}",` : ''
  const json = edmCodecs[type].writeJson(value as never)
  const exponent = /e\+?(-?)(\d+)$/.exec(json)
  if (type !== 'Double' || exponent === null) return `${annotation}"${name}":${json}`
  const [, sign, digits = ''] = exponent
  return `"${name}":${json.slice(0, exponent.index)}E${sign || '+'}${digits.padStart(2, '0')}`
}

describe('encodeElement of any row', () => {
  it('R-08: preserves all texts of a row', () => {
    const levels = fc.constantFrom<MetadataLevel>('nometadata', 'minimalmetadata')
    const selections = fc.uniqueArray(fc.constantFrom(...NAMES, 'RowKey', 'Timestamp', 'Other'))
    fc.assert(
      fc.property(written, levels, selections, (one, level, select) => {
        const all = [
          'PartitionKey',
          'RowKey',
          'Timestamp',
          ...one.properties.map(({ name }) => name),
        ]
        const present = all.filter((name) => select.includes(name))
        const absent = select.filter((name) => !all.includes(name))
        const isFull = level !== 'nometadata'
        const members = [...present, ...absent].map((name) =>
          memberOf(name, one.property(name), isFull),
        )
        const control = isFull ? [`"odata.etag":${JSON.stringify(one.etag)}`] : []
        const expected = escapeJson(`{${[...control, ...members].join(',')}}`)
        const format = { ...place, level, select: new Set(select) }
        expect(encodeElement(one, format)).toBe(expected)
        expect(encodeElement(parseRow(printRow(one)), format)).toBe(expected)
      }),
    )
  })
})
