import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, lifetime, lifetimeOf, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { noRetry, type Transport, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { OrderV1, OrderV2 } from './orders.ts'

async function oldOrders(count: number) {
  const fresh = freshAccount()
  const old = fresh.account.table(OrderV1)
  await old.create()
  for (const customer of ['c1', 'c2']) {
    const batch = old.batch()
    for (let no = 0; no < count; no++) {
      const order = { customer, orderNo: String(no).padStart(4, '0'), total: String(no) }
      batch.insert(Object.assign(new OrderV1(), order))
    }
    await batch.submit()
  }
  fresh.sent.length = 0
  return { ...fresh, old, orders: fresh.account.table(OrderV2) }
}

describe('upgradeTable', () => {
  it('R-129: writes every row of an earlier version, in batches by partition, and once', async () => {
    const { orders, sent, account } = await oldOrders(100)
    const told: number[] = []
    const done = await upgradeTable(orders, { onProgress: ({ upgraded }) => told.push(upgraded) })
    expect(done).toEqual({ read: 200, upgraded: 200, conflicts: 0, continuationToken: undefined })
    expect(told).toEqual([200])
    expect(sent.filter(({ method }) => method === 'POST').length).toBe(2)
    const rows = await account.table('orders').query().allowTableScan().toArray()
    expect(new Set(rows.map((row) => row.get('Version')?.value))).toEqual(new Set([2]))
    sent.length = 0
    expect(await upgradeTable(orders)).toMatchObject({ read: 200, upgraded: 0 })
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('waits for an asynchronous progress listener, and rejects with its error', async () => {
    const { orders } = await oldOrders(1)
    const onProgress = () => Promise.reject(new TypeError('mine'))
    await expect(upgradeTable(orders, { onProgress })).rejects.toThrow('mine')
  })

  it('reads rows again whose write is in doubt, since another program changed one of them', async () => {
    const { transport, connectionString } = localTableService()
    const old = new Account(
      tableService({ connectionString: connectionString(), transport }),
    ).table(OrderV1)
    await old.create()
    const first = Object.assign(new OrderV1(), { customer: 'c1', orderNo: '1', total: '1' })
    await old.insert(first)
    await old.insert(Object.assign(new OrderV1(), { customer: 'c1', orderNo: '2', total: '2' }))
    let lost = false
    const service = tableService({
      connectionString: connectionString(),
      sleep: async () => {},
      async transport(request, limits) {
        if (lost || request.method !== 'POST') return transport(request, limits)
        lost = true
        await old.replace(Object.assign(first, { total: '7' }))
        throw new TransportError({ message: 'lost', mayHaveApplied: true })
      },
    })
    const orders = new Account(service).table(OrderV2)
    expect(await upgradeTable(orders)).toMatchObject({ read: 2, upgraded: 2, conflicts: 1 })
    expect(await orders.get(['c1', '1'])).toMatchObject({ amount: 7 })
    expect(await upgradeTable(orders)).toMatchObject({ upgraded: 0 })
  })

  it('continues where an earlier run ended', async () => {
    const { orders, account } = await oldOrders(2)
    const late = new DynamicEntity('c2', '9', { Version: 3 })
    await account.table('orders').insert(late)
    await expect(upgradeTable(orders)).rejects.toMatchObject({
      name: 'DecodeError',
      details: { table: 'orders', partitionKey: 'c2', rowKey: '9' },
    })
    await account.table('orders').delete(late)
    expect(await upgradeTable(orders)).toMatchObject({ read: 4, upgraded: 4 })
  })

  it.each([undefined, null, 'orders', OrderV2])(
    'rejects %s, which is not a table',
    async (given) => {
      await expect(upgradeTable(given as never)).rejects.toThrow(/upgradeTable takes a table/)
    },
  )

  it('rejects unknown options', async () => {
    const { orders } = await oldOrders(1)
    await expect(upgradeTable(orders, { onprogress: 1 } as never)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(upgradeTable(orders, { idempotencyKey: 'once' } as never)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(upgradeTable(orders, { concurrency: 0 })).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    const onProgress = 'log' as never
    await expect(upgradeTable(orders, { onProgress })).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('upgrades the rows that a lifetime hides, too, because they can be restored', async () => {
    const shape = { user: z.string(), id: z.string(), gone: z.date().optional() }
    const options = {
      name: 'notes',
      partitionKey: key`${'user'}`,
      rowKey: key`${'id'}`,
      lifetime: lifetime({ deletedAt: 'gone' }),
    }
    const schema = z.object({ ...shape, title: z.string() })
    const Note = defineEntity({ ...options, schema: z.object({ ...shape, text: z.string() }) })
    const Note2 = defineEntity({
      ...options,
      schema,
      version: 2,
      previous: Note,
      migrate: ({ text, ...rest }) => ({ ...rest, title: text }),
    })
    const { account } = freshAccount()
    const notes = account.table(Note)
    await notes.create()
    await notes.insert({ user: 'ann', id: '1', text: 'milk' })
    await notes.delete(['ann', '1'], { etag: '*' })
    expect(await upgradeTable(account.table(Note2))).toMatchObject({ read: 1, upgraded: 1 })
    const latest = account.table(defineEntity({ ...options, schema, version: 2 }))
    expect(await lifetimeOf(latest).restore(['ann', '1'])).toMatchObject({ title: 'milk' })
  })
})

/** Eight old orders, and an account through which something happens just before each write. */
async function meddledOrders(meddle: () => Promise<void>) {
  const { transport, connectionString } = localTableService()
  const sleep = async () => {}
  const options = { connectionString: connectionString(), retry: noRetry, sleep }
  const old = new Account(tableService({ ...options, transport })).table(OrderV1)
  await old.create()
  for (const orderNo of ['0', '1', '2', '3', '4', '5', '6', '7']) {
    await old.insert(Object.assign(new OrderV1(), { customer: 'c1', orderNo, total: orderNo }))
  }
  const meddling: Transport = async (request, limits) => {
    if (request.method !== 'GET') await meddle()
    return transport(request, limits)
  }
  const account = new Account(tableService({ ...options, transport: meddling }))
  return { old, orders: account.table(OrderV2) }
}

describe('upgradeTable, while rows change', () => {
  it('reads a row again that changed meanwhile, and skips a deleted one', async () => {
    let isQuiet = false
    const { old, orders } = await meddledOrders(async () => {
      if (isQuiet) return
      isQuiet = true
      const changed = await old.get(['c1', '3'])
      changed.total = '99'
      await old.merge(changed)
      await old.delete(['c1', '5'], { etag: '*' })
    })
    expect(await upgradeTable(orders)).toMatchObject({ read: 8, upgraded: 7, conflicts: 2 })
    expect((await orders.get(['c1', '3'])).amount).toBe(99)
  })

  it('skips a row that another program upgraded meanwhile', async () => {
    let isQuiet = false
    const { orders } = await meddledOrders(async () => {
      if (isQuiet) return
      isQuiet = true
      await orders.replace(await orders.get(['c1', '3']))
    })
    expect(await upgradeTable(orders)).toMatchObject({ read: 8, upgraded: 7, conflicts: 1 })
  })

  it('gives up on a row that keeps changing', async () => {
    let count = 0
    const { old, orders } = await meddledOrders(async () => {
      const changed = await old.get(['c1', '3'])
      count += 1
      changed.total = String(count)
      await old.merge(changed)
    })
    await expect(upgradeTable(orders)).rejects.toMatchObject({ status: 412 })
    // The transaction, the one without this row, and ten of the row alone.
    expect(count).toBe(12)
  })
})
