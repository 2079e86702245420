import {
  EntityProperty,
  PropertyValueError,
  parseEntityJson,
  propertyNamesOf,
  type RawEntity,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { readProperties } from '../../../packages/odata/src/entity/read-properties.ts'

const parse = (text: string) => parseEntityJson(text) as RawEntity

describe('readProperties', () => {
  it('leaves out the system properties, the control information and what is null', () => {
    const raw = parse(
      '{"odata.etag":"x","odata.metadata":"y","PartitionKey":"a","RowKey":"b","Timestamp":"2017-11-10T02:46:55Z","n@odata.type":"Edm.Int64","n":"5","none":null}',
    )
    expect([...readProperties(raw)]).toEqual([['n', EntityProperty.int64(5n)]])
  })

  it('keeps the order of the JSON', () => {
    expect([...readProperties(parse('{"b":1,"a":2,"c":3}')).keys()]).toEqual(['b', 'a', 'c'])
  })

  it('reads names of Object.prototype as any other', () => {
    const properties = readProperties(parse('{"__proto__":1,"constructor":"x","toString":true}'))
    expect([...properties.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(properties.get('__proto__')?.value).toBe(1)
  })

  it('takes an annotation on either side of its member', () => {
    const raw = parse('{"a":"5","a@odata.type":"Edm.Int64"}')
    expect(readProperties(raw).get('a')?.value).toBe(5n)
  })

  it('names the property whose JSON is wrong', () => {
    const raw = parse('{"a@odata.type":"Edm.Guid","a":"x"}')
    expect(() => readProperties(raw)).toThrow(PropertyValueError)
    expect(() => readProperties(raw)).toThrow('Property "a"')
  })

  it('reads properties with a dot or a colon in the name', () => {
    const raw = parse('{"a.b":3.0,"c:d@odata.type":"Edm.Int64","c:d":"5","x.odata.y":1,"e@f":true}')
    expect([...readProperties(raw)]).toEqual([
      ['a.b', EntityProperty.double(3)],
      ['c:d', EntityProperty.int64(5n)],
      ['x.odata.y', EntityProperty.int32(1)],
      ['e@f', EntityProperty.boolean(true)],
    ])
  })

  it('remembers names, and not too many', () => {
    for (let at = 0; at < 4_100; at++) expect(readProperties({ [`q${at}`]: at }).size).toBe(1)
    expect(readProperties({ q0: 1, 'odata.etag': 'x' }).size).toBe(1)
  })
})

describe('propertyNamesOf', () => {
  it('lists stored properties and leaves out system properties, annotations and nulls', () => {
    const raw = parse(
      '{"odata.etag":"x","PartitionKey":"a","RowKey":"b","Timestamp":"2017-11-10T02:46:55Z","n@odata.type":"Edm.Int64","n":"5","none":null,"a.b":3.0,"c:d":"e","x.odata.y":1,"__proto__":1}',
    )
    expect(propertyNamesOf(raw)).toEqual(['n', 'a.b', 'c:d', 'x.odata.y', '__proto__'])
  })
})
