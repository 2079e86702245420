import { codecOf, Guid, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @Guid() m?: string | null
}

const codec = codecOf(modelOf(Thing))

describe('@Guid', () => {
  it('stores a Guid, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'Guid' }])
    const text = codec.write(
      Object.assign(new Thing(), { m: '00000000-0000-0000-0000-000000000001' }),
    )
    expect(text).toBe(
      '{"PartitionKey":"a","RowKey":"b","m@odata.type":"Edm.Guid","m":"00000000-0000-0000-0000-000000000001"}',
    )
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: 'seven' })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })
})
