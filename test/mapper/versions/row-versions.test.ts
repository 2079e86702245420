import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { codecOf } from '../../../packages/mapper/src/layers/codec-of.ts'
import { freshAccount } from '../fresh-account.ts'
import { OrderV1, OrderV2, OrderV3, storedV1 } from './orders.ts'

async function oldOrder(rest: Partial<OrderV1> = {}) {
  const fresh = freshAccount()
  const old = fresh.account.table(OrderV1)
  await old.create()
  const order = { customer: 'c1', orderNo: '7', total: '9.5', note: 'gift', ...rest }
  await old.insert(Object.assign(new OrderV1(), order))
  fresh.sent.length = 0
  const raw = fresh.account.table('orders')
  return { ...fresh, raw, v2: fresh.account.table(OrderV2), v3: fresh.account.table(OrderV3) }
}

describe('RowVersions', () => {
  it('R-129: migrates over all versions in between, and writes nothing', async () => {
    const { v3, sent } = await oldOrder()
    const order = await v3.get(['c1', '7'])
    expect(order).toEqual({ customer: 'c1', orderNo: '7', amount: 9.5, currency: 'EUR' })
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  it('upgrades the row by a merge, which becomes a replace by the ETag', async () => {
    const { raw, v2, sent } = await oldOrder()
    const order = await v2.get(['c1', '7'])
    expect(order).toBeInstanceOf(OrderV2)
    order.status = 'sent'
    const stored = await raw.get(['c1', '7'])
    await v2.merge(order)
    expect(sent.at(-1)).toMatchObject({
      method: 'PUT',
      headers: { 'if-match': stored.etag },
      body: '{"PartitionKey":"c1","RowKey":"7","amount":9.5,"status":"sent","Version":2}',
    })
    expect((await raw.get(['c1', '7'])).get('Version')?.value).toBe(2)
    sent.length = 0
    await v2.merge(order)
    expect(sent).toEqual([])
    order.status = 'paid'
    await v2.merge(order)
    expect(String(sent.at(-1)?.body)).toBe('{"PartitionKey":"c1","RowKey":"7","status":"paid"}')
  })

  it('drops the properties of earlier versions by a replace', async () => {
    const { raw, v2 } = await oldOrder()
    await v2.replace(await v2.get(['c1', '7']))
    expect([...(await raw.get(['c1', '7'])).properties.keys()].sort()).toEqual([
      'Version',
      'amount',
    ])
  })

  it('drops a value that this version removed, also by a merge', async () => {
    const { v3, raw } = await oldOrder({ status: 'open' })
    const order = await v3.get(['c1', '7'])
    await v3.merge(order)
    expect((await raw.get(['c1', '7'])).has('status')).toBe(false)
    expect(await v3.get(['c1', '7'])).toEqual({ ...order })
  })

  it('rejects merges that could leave a row of two versions', async () => {
    const { v2, v3, sent } = await oldOrder({ status: 'open' })
    const order = await v3.get(['c1', '7'])
    const unread = Object.assign(new OrderV2(), { customer: 'c1', orderNo: '7', amount: 1 })
    sent.length = 0
    for (const call of [
      () => v3.merge(order, { etag: '*' }),
      () => v3.insertOrMerge(order),
      () => v2.merge(unread, { etag: '*' }),
      () => v2.insertOrMerge(unread),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'InputError', code: 'UnknownVersion' })
    }
    await expect(v2.batch().insertOrMerge(unread).submit()).rejects.toThrow(
      'has version 1, and the object has version 2. A merge would mix two versions in one row.',
    )
    expect(sent.every(({ method }) => method === 'GET')).toBe(true)
    await v3.replace(order)
    expect(await v3.get(['c1', '7'])).toEqual({ ...order })
  })

  it("merges with etag '*' an entity that was read as this version", async () => {
    const { v2, raw } = await oldOrder()
    await v2.replace(await v2.get(['c1', '7']))
    const order = await v2.get(['c1', '7'])
    order.status = 'sent'
    await v2.merge(order, { etag: '*' })
    expect((await raw.get(['c1', '7'])).get('status')?.value).toBe('sent')
  })

  it('modifies a migrated entity, by a replace if a merge is not enough', async () => {
    const { v3, raw } = await oldOrder({ status: 'open' })
    await v3.modify(['c1', '7'], (order) => {
      order.amount += 1
    })
    expect((await raw.get(['c1', '7'])).has('status')).toBe(false)
    expect(await v3.get(['c1', '7'])).toMatchObject({ amount: 10.5, currency: 'EUR' })
  })

  it('rejects rows of later versions, and names them', async () => {
    const { v2, v3 } = await oldOrder()
    await v3.replace(await v3.get(['c1', '7']))
    await expect(v2.get(['c1', '7'])).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'UnreadableVersion' }),
    )
    await expect(v2.get(['c1', '7'])).rejects.toThrow(
      'OrderV2: the row ["c1","7"] has version 3, which this program cannot read. Update the program',
    )
  })

  it('reads a part of a row of this version, and rejects it of earlier ones', async () => {
    const { v2 } = await oldOrder()
    const query = v2.query().where({ customer: 'c1' }).select('amount')
    expect(query.explain().select).toContain('Version')
    await expect(query.toArray()).rejects.toThrow('only a whole entity can be migrated to 2')
    await v2.replace(await v2.get(['c1', '7']))
    expect((await query.toArray())[0]?.amount).toBe(9.5)
  })

  it('rejects invalid versions', () => {
    const codec = codecOf(modelOf(OrderV2))
    for (const Version of ['2', 0, 1.5]) {
      expect(() => codec.read({ ...storedV1, Version })).toThrow(
        "has a 'Version' that is not a version",
      )
    }
  })

  it('rejects earlier rows without a migration', () => {
    const model = { ...OrderV3, version: { number: 3, property: 'Version' } }
    expect(() => codecOf(model).read(storedV1)).toThrow('3 has no migration from it')
  })
})
