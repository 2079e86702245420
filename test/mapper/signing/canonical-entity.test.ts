import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { canonicalEntity } from '../../../packages/mapper/src/signing/canonical-entity.ts'

const bytesOf = (json: string) =>
  Buffer.from(canonicalEntity(parseEntityJson(json) as RawEntity, 'Signature')).toString('hex')

const KEY = '"PartitionKey":"p","RowKey":"r"'

describe('canonicalEntity', () => {
  it('R-128: is the keys, the count, and name, type and value of each property by name', () => {
    expect(bytesOf(`{${KEY},"b":"é","a@odata.type":"Edm.Int64","a":"1"}`)).toBe(
      [
        '00000001' + '70',
        '00000001' + '72',
        '00000002',
        '00000001' + '61' + '07' + '00000008' + '0000000000000001',
        '00000001' + '62' + '08' + '00000002' + 'c3a9',
      ].join(''),
    )
  })

  it('does not depend on order, spelling or what the service adds', () => {
    const plain = bytesOf(
      `{${KEY},"a":1.5,"b":"x","d@odata.type":"Edm.DateTime","d":"2026-01-01T00:00:00Z"}`,
    )
    const other = bytesOf(
      `{"odata.etag":"W/1","d@odata.type":"Edm.DateTime","d":"2026-01-01T00:00:00.0000000Z",` +
        `"b":"\\u0078","RowKey":"r","a@odata.type":"Edm.Double","a":15e-1,"gone":null,` +
        `"PartitionKey":"p","Timestamp":"2026-01-01T00:00:00Z","Signature":"old"}`,
    )
    expect(other).toBe(plain)
  })

  it.each([
    ['a value', '"a":1', '"a":2'],
    ['a type', '"a":1', '"a":1.0'],
    ['a text and its bytes', '"a":"YQ=="', '"a@odata.type":"Edm.Binary","a":"YQ=="'],
    ['a name', '"a":1', '"b":1'],
    ['a property more', '"a":1', '"a":1,"b":1'],
    ['the border between two values', '"a":"xy","b":"z"', '"a":"x","b":"yz"'],
    ['half a surrogate pair', '"a":"\\ud800"', '"a":"\\ufffd"'],
    ['the sign of zero', '"a":0.0', '"a":-0.0'],
  ])('differs by %s', (_what, one, other) => {
    expect(bytesOf(`{${KEY},${one}}`)).not.toBe(bytesOf(`{${KEY},${other}}`))
  })

  it('differs by each half of the key', () => {
    const at = (pk: string, rk: string) => bytesOf(`{"PartitionKey":"${pk}","RowKey":"${rk}"}`)
    expect(new Set([at('ab', 'c'), at('a', 'bc'), at('abc', '')]).size).toBe(3)
  })
})
