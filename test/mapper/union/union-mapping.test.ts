import { union } from '@rowkey/mapper'
import { checkEntityKey, DecodeError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { type Snapshot, snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { TypeFinder } from '../../../packages/mapper/src/union/type-finder.ts'
import { unionMapping } from '../../../packages/mapper/src/union/union-mapping.ts'
import { objectCodec } from '../object-codec.ts'
import { changesOf } from '../object-writes.ts'
import { Customer, customer, Order, Refund } from './store.ts'

const types = new TypeFinder(union(Customer, Order, Refund), checkEntityKey)
const codec = objectCodec(unionMapping(types))
const row = { PartitionKey: 'c1', RowKey: '0002_00000007', status: 'open' }

describe('unionMapping', () => {
  it('reads each row as its type', () => {
    expect(codec.read({ PartitionKey: 'c1', RowKey: '0001_c1' })).toBeInstanceOf(Customer)
    expect(codec.read(row)).toEqual({ customerId: 'c1', orderNo: 7, status: 'open' })
  })

  it('writes each object as its type', () => {
    expect(codec.write(customer('c1', 'a@b.c'))).toBe(
      '{"PartitionKey":"c1","RowKey":"0001_c1","email":"a@b.c"}',
    )
    expect(codec.write({ customerId: 'c1', orderNo: 7 })).toBe(
      '{"PartitionKey":"c1","RowKey":"0002_00000007","status":"open"}',
    )
  })

  it('reads the key from an object that is only a key', () => {
    const key = codec.keyOf({ customerId: 'c1', refundNo: 3 })
    expect(key).toEqual({ partitionKey: 'c1', rowKey: '0003_00000003' })
    expect(codec.etagOf({ customerId: 'c1', refundNo: 3 }, undefined)).toBeUndefined()
  })

  it('merges the changed properties of an entity that was read', () => {
    const order = codec.read(row, 'W/"1"') as { status?: string }
    expect(codec.etagOf(order, snapshotOf(order))).toBe('W/"1"')
    expect(changesOf(codec, order)).toBeUndefined()
    order.status = 'sent'
    expect(changesOf(codec, order)).toBe(
      '{"PartitionKey":"c1","RowKey":"0002_00000007","status":"sent"}',
    )
    const snapshot = snapshotOf(order) as Snapshot
    expect(codec.lacksStored(order, snapshot)).toBe(false)
    delete order.status
    expect(codec.lacksStored(order, snapshot)).toBe(true)
  })

  it('lets an entity know its row, and whether only a part was read', () => {
    const origin = { account: 'contoso', table: 'store' }
    expect(snapshotOf(codec.read(row, 'e', origin))).toMatchObject({ origin, partial: false })
    expect(snapshotOf(codec.read(row, 'e', origin, true))).toMatchObject({ origin, partial: true })
  })

  it('refreshes an object only from a row of the same type', () => {
    const order = codec.read(row) as { status?: string }
    codec.refresh(order, codec.read({ ...row, status: 'sent' }))
    expect(order.status).toBe('sent')
    const refund = codec.read({ PartitionKey: 'c1', RowKey: '0003_00000007', reason: 'late' })
    const call = () => codec.refresh(order, refund)
    expect(call).toThrow(DecodeError)
    expect(call).toThrow(
      expect.objectContaining({
        code: 'UnknownType',
        details: { partitionKey: 'c1', rowKey: '0003_00000007' },
      }),
    )
    expect(order.status).toBe('sent')
  })

  it('shows the ETag of a write on the member of the type', () => {
    const order = codec.read(row) as { etag?: string }
    codec.showVersion(order, 'W/"2"')
    expect(order.etag).toBe('W/"2"')
  })
})
