import { codecOf, DateTime, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../object-writes.ts'

class Thing {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
  @DateTime() m?: Date | null
}

const codec = codecOf(modelOf(Thing))

describe('@DateTime', () => {
  it('stores a DateTime, in every compiler mode', () => {
    expect(modelOf(Thing).columns).toMatchObject([{ property: 'm', type: 'DateTime' }])
    const text = codec.write(Object.assign(new Thing(), { m: new Date(0) }))
    expect(text).toBe(
      '{"PartitionKey":"a","RowKey":"b","m@odata.type":"Edm.DateTime","m":"1970-01-01T00:00:00Z"}',
    )
  })

  it('refuses a value of another kind, and takes null for absent', () => {
    const wrong = Object.assign(new Thing(), { m: 'today' })
    expect(() => codec.write(wrong as Thing)).toThrow(PropertyValueError)
    const none = codec.write(Object.assign(new Thing(), { m: null }))
    expect(none).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('keeps all seven digits of what it read', () => {
    const m = '2020-01-02T03:04:05.1234567Z'
    const raw = { PartitionKey: 'a', RowKey: 'b', 'm@odata.type': 'Edm.DateTime', m }
    const thing = codec.read(raw)
    expect(codec.write(thing)).toContain(m)
    expect(changesOf(codec, thing)).toBeUndefined()
  })
})
