import { localTableService } from '@rowkey/local'
import { Account, upgradeTable } from '@rowkey/mapper'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { OrderV1, OrderV2 } from './orders.ts'

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
