import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { ClassCodec } from '../../../packages/mapper/src/codec/class-codec.ts'
import { DelegatingCodec } from '../../../packages/mapper/src/codec/delegating-codec.ts'
import { Customer, customer } from '../customer.ts'

describe('DelegatingCodec', () => {
  it('does as the codec that it leaves everything to', () => {
    const inner = new ClassCodec(modelOf(Customer))
    const codec = new DelegatingCodec(inner)
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39, 'odata.etag': 'W/"1"' }
    const jeff = codec.read(raw)
    expect(jeff).toEqual(inner.read(raw))
    expect([codec.keyOf(jeff), codec.storedKeyOf(jeff)]).toEqual([
      inner.keyOf(jeff),
      inner.keyOf(jeff),
    ])
    expect([codec.etagOf(jeff), codec.isPart(jeff)]).toEqual(['W/"1"', false])
    expect([codec.isPart(codec.readPart(raw)), codec.reveal(raw)]).toEqual([true, raw])
    expect([codec.write(jeff), codec.writeChanges(jeff)]).toEqual([inner.write(jeff), undefined])
    codec.checkMerge(jeff, undefined)
    expect(codec.writeShown(jeff)).toBe(inner.writeShown?.(jeff))
    Reflect.deleteProperty(jeff, 'age')
    expect(codec.lacksStored(jeff)).toBe(true)
    codec.refresh(jeff, inner.read({ ...raw, age: 40 }))
    expect(jeff.age).toBe(40)
    codec.forget(jeff)
    expect(codec.hasUnread(jeff)).toBe(false)
    codec.forget(jeff, { body: '{}', whole: false })
    expect(codec.hasUnread(jeff)).toBe(true)
    expect(codec.writeChanges(jeff)).toContain('"age":40')
    codec.written(jeff, 'W/"2"', { body: codec.write(jeff), whole: true })
    expect([codec.etagOf(jeff), codec.writeChanges(jeff)]).toEqual(['W/"2"', undefined])
    expect(codec.writeChanges(customer('Smith', 'Ben'))).toBeDefined()
  })
})
