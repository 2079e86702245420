import { DateTimeValue, parseDateTime } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRow, printRow } from '../../../packages/local/src/durable/durable-table.ts'
import type { StoredProperty } from '../../../packages/local/src/entity/entity-text.ts'
import type { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'
import { anyText } from '../../support/any-text.ts'
import { decodedProperties, storedRow } from '../../support/stored-row.ts'

const KEY = { partitionKey: "Smith's", rowKey: '' }
const TIME = parseDateTime('2026-11-20T12:00:00.1234567Z') as DateTimeValue
const rowWith = (...properties: [string, StoredProperty][]) =>
  storedRow(KEY, TIME, new Map(properties))
/** Lists the properties of a row, so that rows can be compared. */
const shownBy = ({ partitionKey, rowKey, timestamp, etag, properties, text }: StoredEntity) => ({
  key: { partitionKey, rowKey },
  timestamp,
  etag,
  properties: [...decodedProperties(properties)],
  text,
})

const text = anyText()
/** Text that looks like members of a row. */
const trap = fc
  .array(fc.constantFrom('"', '\\', ':', ',', 'p0', 'Timestamp', '@odata.type', '5', 'é', '{', '}'))
  .map((parts) => parts.join(''))
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const value: fc.Arbitrary<StoredProperty> = fc.oneof(
  fc.oneof(text, trap).map((chars) => ({ type: 'String' as const, value: chars })),
  fc.boolean().map((flag) => ({ type: 'Boolean' as const, value: flag })),
  fc.integer().map((number) => ({ type: 'Int32' as const, value: number })),
  int64.map((number) => ({ type: 'Int64' as const, value: number })),
  fc.double().map((number) => ({ type: 'Double' as const, value: number })),
  fc.integer().map((number) => ({ type: 'Double' as const, value: number })),
  fc.uint8Array().map((bytes) => ({ type: 'Binary' as const, value: new Uint8Array(bytes) })),
  fc.uuid().map((guid) => ({ type: 'Guid' as const, value: guid })),
  fc
    .tuple(fc.nat(4e12), fc.nat(9_999))
    .map(([ms, ticks]) => ({ type: 'DateTime' as const, value: new DateTimeValue(ms, ticks) })),
)
const key = fc.record({ partitionKey: fc.oneof(text, trap), rowKey: fc.oneof(text, trap) })
const names = ['p0', 'p00', 'größe', '__proto__', 'PartitionKeys', 'Edm', 'p', '名', '𐐀x'] as const

describe('printRow and parseRow', () => {
  it('R-10: preserve every key and every value of every type', () => {
    fc.assert(
      fc.property(key, fc.array(value, { maxLength: names.length }), (at, values) => {
        const properties = new Map(values.map((each, index) => [names[index] ?? '', each]))
        const row = storedRow(at, TIME, properties)
        const again = parseRow(printRow(row))
        expect(shownBy(again)).toEqual(shownBy(row))
        for (const name of ['PartitionKey', 'RowKey', 'Timestamp', 'odata', 'type', ...names]) {
          expect(again.property(name)).toEqual(row.property(name))
        }
      }),
    )
  })

  it.each([
    { type: 'Double', value: 5 },
    { type: 'Double', value: -0 },
    { type: 'Double', value: 1e300 },
    { type: 'Double', value: 5e-324 },
    { type: 'Double', value: Number.NaN },
    { type: 'Double', value: Number.NEGATIVE_INFINITY },
    { type: 'String', value: '\ud800 alone, "quoted" and \u0000' },
    { type: 'DateTime', value: parseDateTime('9999-12-31T23:59:59.9999999Z') as DateTimeValue },
  ] as const)('preserve what is easily lost: %o', (property) => {
    const row = parseRow(printRow(rowWith(['p', property])))
    expect(decodedProperties(row.properties).get('p')).toEqual(property)
    expect(row.property('p')).toEqual(property)
  })

  it('write readable entity JSON, as in responses', () => {
    const row = rowWith(
      ['points', { type: 'Int64', value: 5n }],
      ['age', { type: 'Int32', value: 3 }],
      ['whole', { type: 'Double', value: 3 }],
    )
    expect(printRow(row)).toBe(
      `{"PartitionKey":"Smith's","RowKey":"","Timestamp":"2026-11-20T12:00:00.1234567Z",` +
        `"points@odata.type":"Edm.Int64","points":"5","age":3,"whole":3.0}`,
    )
  })
})
