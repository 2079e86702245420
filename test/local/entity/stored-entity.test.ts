import { DateTimeValue, printDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkETag,
  matchETag,
  printETag,
  StoredEntity,
} from '../../../packages/local/src/entity/stored-entity.ts'
import { decodedProperties, storedRow } from '../../support/stored-row.ts'

const TEXT =
  '"PartitionKey":"\\"Timestamp\\":\\"","RowKey":"r","Timestamp":"1970-01-01T00:00:00.0000005Z","age":41'
const row = new StoredEntity(TEXT)

describe('StoredEntity', () => {
  it('returns the text it was made from', () => {
    expect(row.text).toBe(TEXT)
  })

  it('has the ETag and the text for responses with minimal metadata', () => {
    expect(row.element).toBe(`"odata.etag":${JSON.stringify(row.etag)},${TEXT}`)
  })

  it('R-12: reads key, Timestamp and ETag from the text', () => {
    expect(row.partitionKey).toBe('"Timestamp":"')
    expect(row.rowKey).toBe('r')
    expect(row.timestamp).toEqual(new DateTimeValue(0, 5))
    expect(row.etag).toBe('W/"datetime\'1970-01-01T00%3A00%3A00.0000005Z\'"')
  })

  it('R-05: finds system properties and custom ones by name', () => {
    expect(row.property('PartitionKey')).toEqual({ type: 'String', value: '"Timestamp":"' })
    expect(row.property('RowKey')).toEqual({ type: 'String', value: 'r' })
    expect(row.property('Timestamp')).toEqual({ type: 'DateTime', value: row.timestamp })
    expect(row.property('age')).toEqual({ type: 'Int32', value: 41 })
  })

  it.each([
    'partitionKey',
    'rowkey',
    'ETag',
    'timestamp',
    'constructor',
    'odata.etag',
    'odata',
    '',
  ])('finds nothing by the name %j', (name) => {
    expect(row.property(name)).toBeUndefined()
  })

  it('lists its custom properties', () => {
    expect([...decodedProperties(row.properties)]).toEqual([['age', { type: 'Int32', value: 41 }]])
  })

  it('has the text of the values that it was made from', () => {
    const written = storedRow({ partitionKey: 'p', rowKey: 'r' }, new DateTimeValue(0, 5), [
      ['age', { type: 'Int32', value: 41 }],
    ])
    expect(written.text).toBe(
      '"PartitionKey":"p","RowKey":"r","Timestamp":"1970-01-01T00:00:00.0000005Z","age":41',
    )
  })
})

const written = DateTimeValue.parse('2017-11-10T02:46:55.7383596Z')
const etag = 'W/"datetime\'2017-11-10T02%3A46%3A55.7383596Z\'"'
const taggedRow = storedRow({ partitionKey: 'p', rowKey: 'r' }, written, new Map())

describe('printETag', () => {
  it('R-12: is the Timestamp as a weak entity tag', () => {
    expect(printETag(printDateTime(written))).toBe(etag)
    expect(taggedRow.etag).toBe(etag)
  })
})

describe('checkETag', () => {
  it.each(['*', etag, 'W/"foreign"', 'W/""', 'w/"a"', 'W/"a\\"b"'])('accepts %s', (ifMatch) => {
    expect(() => checkETag(ifMatch)).not.toThrow()
  })

  it.each([
    '',
    'W/',
    'datetime',
    '"strong"',
    `"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`,
    '"a", "b"',
    '**',
    'W/"a',
  ])('rejects %j', (ifMatch) => {
    expect(() => checkETag(ifMatch)).toThrow(
      expect.objectContaining({
        code: 'InvalidInput',
        message: expect.stringContaining(`The etag value '${ifMatch}'`),
      }),
    )
  })
})

const key = { partitionKey: 'p', rowKey: 'r' }
const matchedRow = storedRow(key, DateTimeValue.parse('2017-11-10T02:46:55.7383596Z'), new Map())

describe('matchETag', () => {
  it('R-46: accepts the same version, and * for any', () => {
    expect(() => matchETag(matchedRow, matchedRow.etag)).not.toThrow()
    expect(() => matchETag(matchedRow, '*')).not.toThrow()
  })

  it('R-46: rejects another version, and a missing row', () => {
    expect(() => matchETag(matchedRow, 'W/"other"')).toThrow(
      expect.objectContaining({ status: 412, code: 'UpdateConditionNotSatisfied' }),
    )
    expect(() => matchETag(undefined, '*')).toThrow(
      expect.objectContaining({ status: 404, code: 'ResourceNotFound' }),
    )
  })
})
