import { union } from '@rowkey/mapper'
import { checkEntityKey } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { TypeFinder } from '../../../packages/mapper/src/union/type-finder.ts'
import { UnionCodec } from '../../../packages/mapper/src/union/union-codec.ts'
import { Customer, customer, Order, Refund } from './store.ts'

const codec = new UnionCodec(new TypeFinder(union(Customer, Order, Refund), checkEntityKey))
const row = { PartitionKey: 'c1', RowKey: '0002_00000007', status: 'open' }

describe('UnionCodec', () => {
  it('reads each row as what it is', () => {
    expect(codec.read({ PartitionKey: 'c1', RowKey: '0001_c1' })).toBeInstanceOf(Customer)
    expect(codec.read(row)).toEqual({ customerId: 'c1', orderNo: 7, status: 'open' })
  })

  it('writes each object as what it is', () => {
    expect(codec.write(customer('c1', 'a@b.c'))).toBe(
      '{"PartitionKey":"c1","RowKey":"0001_c1","email":"a@b.c"}',
    )
    expect(codec.write({ customerId: 'c1', orderNo: 7 })).toBe(
      '{"PartitionKey":"c1","RowKey":"0002_00000007","status":"open"}',
    )
  })

  it('makes the key of an object that is only a key', () => {
    const key = codec.keyOf({ customerId: 'c1', refundNo: 3 })
    expect(key).toEqual({ partitionKey: 'c1', rowKey: '0003_00000003' })
    expect(codec.etagOf({ customerId: 'c1', refundNo: 3 })).toBeUndefined()
  })

  it('merges what changed of what was read', () => {
    const order = codec.read(row, 'W/"1"') as { status: string }
    expect(codec.etagOf(order)).toBe('W/"1"')
    expect(codec.writeChanges(order)).toBeUndefined()
    order.status = 'sent'
    expect(codec.writeChanges(order)).toBe(
      '{"PartitionKey":"c1","RowKey":"0002_00000007","status":"sent"}',
    )
    expect(codec.storedKeyOf(order)).toEqual({ partitionKey: 'c1', rowKey: '0002_00000007' })
    expect([codec.isPart(order), codec.isPart(codec.readPart(row))]).toEqual([false, true])
  })
})
