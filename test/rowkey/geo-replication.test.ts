import { localTableService } from '@rowkey/local'
import type { HttpRequest, LocationMode, Transport } from '@rowkey/rest'
import { connect, defineEntity, key, lifetime, lifetimeOf, upgradeTable } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const LAG = 60_000

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: key`${'no:4'}`,
  schema: z.object({ customer: z.string(), no: z.int(), total: z.number() }),
})

/** Two programs on one account, of whose regions the second is a minute behind, and which share a clock. */
async function region() {
  let time = Date.parse('2026-11-20T10:00:00Z')
  const now = () => time
  const local = localTableService({ now, replication: { lag: LAG } })
  const sent: HttpRequest[] = []
  const transport: Transport = (request, limits) => {
    sent.push(request)
    return local.transport(request, limits)
  }
  const open = (locationMode: LocationMode = 'primaryOnly') =>
    connect(local.connectionString(), { transport, now, locationMode })
  const writer = open().table(Order)
  await writer.create()
  time += LAG
  return {
    writer,
    open,
    sent,
    local,
    now,
    pass: (ms: number) => {
      time += ms
    },
  }
}

const order = (no: number, total = 1) => ({ customer: 'jones', no, total })

describe('the two regions of an account', () => {
  it('R-15: the primary shows each write to every program at once, the secondary later', async () => {
    const { writer, open, pass } = await region()
    const reader = open().table(Order)
    const behind = open('secondaryOnly').table(Order)
    await writer.insert(order(1))
    for (const total of [2, 3, 4]) {
      await writer.merge(order(1, total), { etag: '*' })
      expect((await reader.get(['jones', '0001'])).total).toBe(total)
      expect(await reader.query().where({ customer: 'jones', total }).count()).toBe(1)
    }
    expect(await behind.find(['jones', '0001'])).toBeUndefined()
    pass(LAG)
    expect((await behind.get(['jones', '0001'])).total).toBe(4)
    await writer.delete(['jones', '0001'], { etag: '*' })
    expect(await reader.find(['jones', '0001'])).toBeUndefined()
    expect(await behind.find(['jones', '0001'])).toBeDefined()
  })

  it('R-119: the secondary shows the writes of a partition in their order, batches whole, and says how far it is', async () => {
    const { writer, open, pass, now } = await region()
    const secondary = open('secondaryOnly')
    const behind = secondary.table(Order)
    const numbers = async () =>
      (await behind.query().where({ customer: 'jones' }).toArray()).map(({ no }) => no)
    const begun = now()
    await writer.insert(order(1))
    pass(1_000)
    await writer.batch().insert(order(2)).insert(order(3)).submit()
    pass(1_000)
    await writer.insert(order(4))
    expect(await numbers()).toEqual([])
    const { status, lastSyncTime } = await secondary.statistics()
    expect(status).toBe('live')
    expect(Number(lastSyncTime)).toBeLessThanOrEqual(begun)
    const seen: number[][] = []
    for (let second = 0; second <= LAG / 1_000; second++) {
      seen.push(await numbers())
      pass(1_000)
    }
    const stages = [...new Set(seen.map(String))]
    expect(stages).toEqual(['', '1', '1,2,3', '1,2,3,4'])
  })

  it('R-120: an entity of one partition never precedes another that it refers to', async () => {
    const { writer, open, pass } = await region()
    const behind = open('secondaryOnly').table(Order)
    const reads = async () => (await behind.query().where({ customer: 'jones' }).toArray()).length
    for (let no = 1; no <= 40; no++) {
      await writer.insert(order(no, no - 1)) // total is the number of the order before
      pass(2_000)
      const found = await behind.query().where({ customer: 'jones' }).toArray()
      const numbers = new Set([0, ...found.map((one) => one.no)])
      expect(found.filter(({ total }) => !numbers.has(total))).toEqual([])
    }
    expect(await reads()).toBeGreaterThan(0)
    pass(LAG)
    expect(await reads()).toBe(40)
  })

  it('deletes of all rows and sweeps find the rows that the primary has', async () => {
    const { writer, open, pass } = await region()
    for (const no of [1, 2]) await writer.insert(order(no))
    const behind = open('secondaryThenPrimary').table(Order)
    expect((await behind.query().where({ no: 1 }).allowTableScan().deleteAll()).done).toBe(1)
    expect((await behind.deletePartition('jones')).done).toBe(1)

    const Offer = defineEntity({
      name: 'orders',
      partitionKey: key`${'customer'}`,
      rowKey: key`${'no:4'}`,
      schema: z.object({ customer: z.string(), no: z.int(), endsOn: z.date() }),
      lifetime: lifetime({ expiresAt: 'endsOn' }),
    })
    const offers = open('secondaryThenPrimary').table(Offer)
    await offers.insert({ customer: 'jones', no: 3, endsOn: new Date('2026-11-20T10:00:01Z') })
    pass(LAG + 2_000)
    await offers.insert({ customer: 'jones', no: 4, endsOn: new Date('2026-11-20T10:00:01Z') })
    expect((await lifetimeOf(offers).sweep()).done).toBe(2)
  })

  it('an upgrade finds the rows that the primary has', async () => {
    const { writer, open } = await region()
    await writer.insert(order(1))
    const Later = defineEntity({
      name: 'orders',
      partitionKey: key`${'customer'}`,
      rowKey: key`${'no:4'}`,
      schema: z.object({ customer: z.string(), no: z.int(), cents: z.number() }),
      version: 2,
      previous: Order,
      migrate: ({ customer, no, total }) => ({ customer, no, cents: total * 100 }),
    })
    const behind = open('secondaryThenPrimary').table(Later)
    expect(await upgradeTable(behind)).toMatchObject({ read: 1, upgraded: 1 })
  })
})
