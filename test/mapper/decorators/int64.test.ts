import { codecOf, Int64, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @Int64() m?: bigint | null
}

const codec = codecOf(modelOf(Thing))

describe('@Int64', () => {
  it('stores an Int64, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'Int64' }])
    const text = codec.write(Object.assign(new Thing(), { m: 7n }))
    expect(text).toBe('{"PartitionKey":"a","RowKey":"b","m@odata.type":"Edm.Int64","m":"7"}')
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: '7' })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('reads a stored Int32 exactly, and refuses a stored Double', () => {
    const key = { PartitionKey: 'a', RowKey: 'b' }
    expect(codec.read({ ...key, m: 7 }).m).toBe(7n)
    expect(() => codec.read({ ...key, m: 7.5 })).toThrow(/^Thing\.m is declared as Int64/)
  })
})
