import { codecOf, Double, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../object-writes.ts'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @Double() m?: number | null
}

const codec = codecOf(modelOf(Thing))

describe('@Double', () => {
  it('stores a Double, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'Double' }])
    const text = codec.write(Object.assign(new Thing(), { m: 7 }))
    expect(text).toBe('{"PartitionKey":"a","RowKey":"b","m@odata.type":"Edm.Double","m":7.0}')
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: '7' })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('reads a stored Int32, and writes it as it was when nobody touched it', () => {
    const thing = codec.read({ PartitionKey: 'a', RowKey: 'b', m: 7 })
    expect(thing.m).toBe(7)
    expect(changesOf(codec, thing)).toBeUndefined()
    expect(codec.write(thing)).toBe('{"PartitionKey":"a","RowKey":"b","m":7}')
  })
})
