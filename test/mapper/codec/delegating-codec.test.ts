import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { ClassCodec } from '../../../packages/mapper/src/codec/class-codec.ts'
import { DelegatingCodec } from '../../../packages/mapper/src/codec/delegating-codec.ts'
import { type Snapshot, snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Customer, customer } from '../customer.ts'
import { applied, changesOf } from '../object-writes.ts'

const origin = { account: 'contoso', table: 'customers' }

describe('DelegatingCodec', () => {
  it('forwards every call to its codec', () => {
    const inner = new ClassCodec(modelOf(Customer))
    const codec = new DelegatingCodec(inner)
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39, 'odata.etag': 'W/"1"' }
    const jeff = codec.read(raw, undefined, origin)
    expect(jeff).toEqual(inner.read(raw))
    const snapshot = snapshotOf(jeff) as Snapshot
    expect(snapshot).toEqual(snapshotOf(inner.read(raw, undefined, origin)))
    expect(codec.keyOf(jeff)).toEqual(inner.keyOf(jeff))
    expect([codec.etagOf(jeff, snapshot), codec.etagOf(jeff, undefined)]).toEqual([
      'W/"1"',
      undefined,
    ])
    expect([codec.isKey({ partitionKey: 'a', rowKey: 'b' }), codec.isKey(jeff)]).toEqual([
      true,
      false,
    ])
    const part = codec.read(raw, undefined, origin, true)
    expect(snapshotOf(part)).toMatchObject({ origin, partial: true })
    expect(codec.reveal(raw)).toBe(raw)
    expect([codec.write(jeff), changesOf(codec, jeff)]).toEqual([inner.write(jeff), undefined])
    expect(() => codec.checkMerge(jeff, undefined, undefined)).not.toThrow()
    expect(codec.writeShown(jeff, undefined)).toBe(inner.writeShown(jeff, undefined))
    expect(codec.untouched(jeff)).toContain('age')
    Reflect.deleteProperty(jeff, 'age')
    expect(codec.untouched(jeff)).not.toContain('age')
    expect(codec.lacksStored(jeff, snapshot)).toBe(true)
    codec.refresh(jeff, inner.read({ ...raw, age: 40 }))
    expect(jeff.age).toBe(40)
    expect(changesOf(codec, jeff)).toContain('"age":40')
    applied(codec, jeff, { etag: 'W/"2"', body: codec.write(jeff), whole: true })
    expect([codec.etagOf(jeff, snapshotOf(jeff)), changesOf(codec, jeff)]).toEqual([
      'W/"2"',
      undefined,
    ])
    expect(changesOf(codec, customer('Smith', 'Ben'))).toBeDefined()
  })
})
