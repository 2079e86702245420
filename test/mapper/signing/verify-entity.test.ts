import { readFileSync } from 'node:fs'
import { signingKeys } from '@rowkey/mapper'
import { DecodeError, parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  canonicalEntity,
  verifyEntity,
} from '../../../packages/mapper/src/signing/verify-entity.ts'
import { referenceSignature } from '../encryption/reference-format.ts'

const documentation = readFileSync('docs/project/encryption-formats.md', 'utf8')
const s1 = Buffer.alloc(32, 1)
const keys = signingKeys({ current: 's1', keys: { s1 } })
const entity = { PartitionKey: 'p', RowKey: 'r', a: 1, b: 'x' }

const withSignature = (raw: RawEntity, signature: Uint8Array): RawEntity => ({
  ...raw,
  'Signature@odata.type': 'Edm.Binary',
  Signature: Buffer.from(signature).toString('base64'),
})
const signed = withSignature(entity, keys.sign(canonicalEntity(entity, 'Signature')))
const failure = (raw: RawEntity, ring = keys): unknown => {
  try {
    verifyEntity(ring, raw, 'Order')
    return undefined
  } catch (error) {
    if (!(error instanceof DecodeError) || error.code !== 'SignatureInvalid') throw error
    return error.details.reason
  }
}

describe('verifyEntity', () => {
  it('R-128: accepts signatures of another implementation of the documented format', () => {
    const theirs = referenceSignature(
      { key: s1, keyId: 's1' },
      {
        partitionKey: 'p',
        rowKey: 'r',
        properties: [
          ['a', 6, Buffer.from([0, 0, 0, 1])],
          ['b', 8, Buffer.from('x')],
        ],
      },
    )
    expect(failure(withSignature(entity, theirs))).toBeUndefined()
    expect(signed.Signature).toBe(theirs.toString('base64'))
    expect(documentation).toContain(`    ${theirs.toString('hex')}`)
  })

  it.each<[string, RawEntity]>([
    ['an altered value', { ...signed, a: 2 }],
    ['an altered type', { ...signed, 'a@odata.type': 'Edm.Double' }],
    ['an added property', { ...signed, c: 1 }],
    ['an entity under another PartitionKey', { ...signed, PartitionKey: 'q' }],
    ['an entity under another RowKey', { ...signed, RowKey: 's' }],
  ])('R-128: rejects %s', (_what, raw) => {
    expect(failure(raw)).toBe('tampered')
  })

  it('rejects a removed property', () => {
    const { a, ...rest } = signed
    expect(a).toBe(1)
    expect(failure(rest)).toBe('tampered')
  })

  it('rejects an entity without a signature, unless unsigned entities are read', () => {
    expect(failure(entity)).toBe('unsigned')
    const lenient = signingKeys({ current: 's1', keys: { s1 }, unsigned: 'read' })
    expect(failure(entity, lenient)).toBeUndefined()
    expect(failure({ ...signed, a: 2 }, lenient)).toBe('tampered')
  })

  it.each<[string, RawEntity]>([
    ['a text', { ...entity, Signature: 'abc' }],
    ['bytes of no format', withSignature(entity, Uint8Array.of(9, 9, 9))],
    ['an unknown type', { ...signed, 'a@odata.type': 'Edm.Money' }],
  ])('rejects %s', (_what, raw) => {
    expect(failure(raw)).toBe('malformed')
  })

  it('names class, key and key id, but never shows signature or key', () => {
    const other = signingKeys({ current: 's9', keys: { s9: s1 } })
    expect(() => verifyEntity(other, signed, 'Order')).toThrow(
      expect.objectContaining({
        code: 'SignatureInvalid',
        details: { partitionKey: 'p', rowKey: 'r', reason: 'unknownKey', keyId: 's1' },
        message: expect.stringMatching(
          /^Order \["p","r"\] \(key 's1'\) was rejected: .*unknown key/,
        ),
      }),
    )
    expect(() => verifyEntity(other, signed, 'Order')).not.toThrow(String(signed.Signature))
  })
})

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
