import { codecOf, Int32, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @Int32() m?: number | null
}

const codec = codecOf(modelOf(Thing))

describe('@Int32', () => {
  it('stores an Int32, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'Int32' }])
    const text = codec.write(Object.assign(new Thing(), { m: 7 }))
    expect(text).toBe('{"PartitionKey":"a","RowKey":"b","m":7}')
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: 2.5 })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('refuses a stored Int64 or Double: neither fits', () => {
    const key = { PartitionKey: 'a', RowKey: 'b' }
    const int64 = { ...key, 'm@odata.type': 'Edm.Int64', m: '7' }
    expect(() => codec.read(int64)).toThrow(/^Thing\.m is declared as Int32, .* of type Int64/)
    expect(() => codec.read({ ...key, m: 7.5 })).toThrow(/of type Double/)
  })
})
