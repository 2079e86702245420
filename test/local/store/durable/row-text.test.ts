import { DateTimeValue, parseDateTime } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  StoredEntity,
  type StoredProperty,
} from '../../../../packages/local/src/entity/stored-entity.ts'
import { parseRow, printRow } from '../../../../packages/local/src/store/durable/row-text.ts'

const KEY = { partitionKey: "Smith's", rowKey: '' }
const TIME = parseDateTime('2026-11-20T12:00:00.1234567Z') as DateTimeValue
const rowWith = (...properties: [string, StoredProperty][]) =>
  new StoredEntity(KEY, TIME, new Map(properties))

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const value: fc.Arbitrary<StoredProperty> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => ({ type: 'String' as const, value: text })),
  fc.boolean().map((flag) => ({ type: 'Boolean' as const, value: flag })),
  fc.integer().map((number) => ({ type: 'Int32' as const, value: number })),
  int64.map((number) => ({ type: 'Int64' as const, value: number })),
  fc.double().map((number) => ({ type: 'Double' as const, value: number })),
  fc.uint8Array().map((bytes) => ({ type: 'Binary' as const, value: new Uint8Array(bytes) })),
  fc.uuid().map((guid) => ({ type: 'Guid' as const, value: guid })),
  fc
    .tuple(fc.nat(4e12), fc.nat(9_999))
    .map(([ms, ticks]) => ({ type: 'DateTime' as const, value: new DateTimeValue(ms, ticks) })),
)

describe('printRow and parseRow', () => {
  it('R-10: give back every value of every type, exactly', () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const row = rowWith(...values.map((each, at): [string, StoredProperty] => [`p${at}`, each]))
        const again = parseRow(printRow(row))
        expect(again).toEqual(row)
        expect(again.etag).toBe(row.etag)
        expect([...again.properties.keys()]).toEqual([...row.properties.keys()])
      }),
    )
  })

  it.each([
    { type: 'Double', value: 5 },
    { type: 'Double', value: -0 },
    { type: 'Double', value: Number.NaN },
    { type: 'Double', value: Number.NEGATIVE_INFINITY },
    { type: 'String', value: '\ud800 alone, "quoted" and \u0000' },
    { type: 'DateTime', value: parseDateTime('9999-12-31T23:59:59.9999999Z') as DateTimeValue },
  ] as const)('keep what is easily lost: %o', (property) => {
    expect(parseRow(printRow(rowWith(['p', property]))).properties.get('p')).toEqual(property)
  })

  it('keep a property whose name objects know', () => {
    const property = { type: 'Int64', value: 5n } as const
    const row = parseRow(printRow(rowWith(['__proto__', property], ['toString', property])))
    expect([...row.properties]).toEqual([
      ['__proto__', property],
      ['toString', property],
    ])
  })

  it('write entity JSON that people can read', () => {
    const row = rowWith(
      ['points', { type: 'Int64', value: 5n }],
      ['age', { type: 'Int32', value: 3 }],
    )
    expect(printRow(row)).toBe(
      `{"PartitionKey":"Smith's","RowKey":"","Timestamp":"2026-11-20T12:00:00.1234567Z",` +
        `"points@odata.type":"Edm.Int64","points":"5","age":3}`,
    )
  })
})
