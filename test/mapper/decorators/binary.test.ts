import { Binary, codecOf, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @Binary() m?: Uint8Array | null
}

const codec = codecOf(modelOf(Thing))

describe('@Binary', () => {
  it('stores a Binary, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'Binary' }])
    const text = codec.write(Object.assign(new Thing(), { m: new Uint8Array([1]) }))
    expect(text).toBe('{"PartitionKey":"a","RowKey":"b","m@odata.type":"Edm.Binary","m":"AQ=="}')
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: 'AQ==' })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })
})
