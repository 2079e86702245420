import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { undeclaredMembers } from '../../../packages/mapper/src/codec/class-codec.ts'

const raw = parseEntityJson(
  '{"odata.etag":"x","PartitionKey":"a","RowKey":"b","age":5,"price":3.0,"zero":-0.0,' +
    '"big@odata.type":"Edm.Int64","big":"9007199254740993","none":null,' +
    '"when@odata.type":"Edm.DateTime","when":"2017-11-10T02:46:55.7383596Z"}',
) as RawEntity

describe('undeclaredMembers', () => {
  it('gives every stored property with its exact type and value', () => {
    expect(undeclaredMembers(raw, new Set(['PartitionKey', 'RowKey', 'age']))).toBe(
      ',"price@odata.type":"Edm.Double","price":3.0' +
        ',"zero@odata.type":"Edm.Double","zero":-0.0' +
        ',"big@odata.type":"Edm.Int64","big":"9007199254740993"' +
        ',"when@odata.type":"Edm.DateTime","when":"2017-11-10T02:46:55.7383596Z"',
    )
  })

  it('gives nothing when the class declares everything', () => {
    expect(undeclaredMembers({ age: 5 }, new Set(['age']))).toBe('')
  })
})
