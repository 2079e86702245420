import {
  checkPropertyText,
  DynamicEntity,
  EntityProperty,
  edmCodecs,
  memberText,
  writeMember,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { writeEntityJson } from '../../../packages/odata/src/entity/entity-codec.ts'
import { invalidKey, invalidName } from '../../support/rejections.ts'

const entity = () => new DynamicEntity('a', 'b', { x: 1, big: 5n })
const write = (given: DynamicEntity) => writeEntityJson(given, checkPropertyText)

describe('writeEntityJson', () => {
  it('R-07: writes the key, then every property', () => {
    expect(write(entity())).toBe(
      '{"PartitionKey":"a","RowKey":"b","x":1,"big@odata.type":"Edm.Int64","big":"5"}',
    )
    expect(write(new DynamicEntity('', ''))).toBe('{"PartitionKey":"","RowKey":""}')
  })

  it('rejects a key that no request can carry', () => {
    const wrong = entity()
    wrong.rowKey = '\ud800'
    expect(() => write(wrong)).toThrow(invalidKey)
  })

  it('rejects a name that was not assigned by set', () => {
    const wrong = entity()
    wrong.properties.set('RowKey', EntityProperty.string('c'))
    expect(() => write(wrong)).toThrow(invalidName)
  })

  it('writes the names of many tables', () => {
    for (let at = 0; at < 2_100; at++) {
      const text = write(new DynamicEntity('a', 'b', { [`r${at}`]: at }))
      expect(text).toBe(`{"PartitionKey":"a","RowKey":"b","r${at}":${at}}`)
    }
  })
})

describe('memberText', () => {
  it('holds the text before a value', () => {
    expect(memberText('points').plain).toBe('"points":')
    expect(memberText('points').annotated('Int64')).toBe(
      '"points@odata.type":"Edm.Int64","points":',
    )
  })

  it('escapes a quote', () => {
    expect(memberText('a"b').plain).toBe('"a\\"b":')
    expect(memberText('a"b').annotated('Guid')).toBe('"a\\"b@odata.type":"Edm.Guid","a\\"b":')
  })
})

describe('writeMember', () => {
  it('R-21: annotates a value whose JSON does not show its type', () => {
    const text = memberText('p')
    expect(writeMember(text, edmCodecs.Int64, 5n)).toBe('"p@odata.type":"Edm.Int64","p":"5"')
    expect(writeMember(text, edmCodecs.Double, 3)).toBe('"p@odata.type":"Edm.Double","p":3.0')
    expect(writeMember(text, edmCodecs.Double, 3.5)).toBe('"p":3.5')
    expect(writeMember(text, edmCodecs.String, 'a')).toBe('"p":"a"')
    expect(writeMember(text, edmCodecs.Int32, 3)).toBe('"p":3')
  })
})
