import {
  deleteEntity,
  deleteEntityIfExists,
  entityGroupTransaction,
  insertEntity,
  perform,
  sweepMarkers,
  type TableService,
  type Transport,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { FinishedMarkers } from '../../../packages/rest/src/exact/finished-markers.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { type ExactService, exactService, isAtSecondary, personOf } from './exact-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const jeff = personOf('Jeff')

const sweep = (service: TableService, olderThan?: number) =>
  sweepMarkers(service, 'people', { olderThan })

async function markers(service: ExactService): Promise<readonly string[]> {
  return [...(await service.rows()).keys()].filter((key) => key.startsWith('~rk~op~'))
}

describe('the markers of finished writes', () => {
  const write = async (service: ExactService, client: TableService, from: number, to: number) => {
    for (let n = from; n < to; n++) {
      await perform(client, insertEntity, personOf(`row ${n}`))
      service.pass(1)
    }
  }

  it('are deleted 100 at once, in one request, when they are 10 minutes old', async () => {
    const service = await exactService()
    const client = service.client()
    await write(service, client, 0, 250)
    expect(await markers(service)).toHaveLength(250)
    service.pass(10 * MINUTE - 1_000)
    await write(service, client, 250, 251)
    expect(await markers(service)).toHaveLength(251)
    service.pass(2_000)
    for (const left of [152, 53, 54]) {
      service.requests.length = 0
      await perform(client, insertEntity, personOf(`with ${left}`))
      expect(service.requests).toHaveLength(left === 54 ? 1 : 2)
      expect(await markers(service)).toHaveLength(left)
    }
  })

  it('keep a late duplicate of an older success from being applied', async () => {
    const service = await exactService()
    const client = service.client(['duplicated later'])
    await perform(client, insertEntity, jeff)
    await write(service, client, 0, 300)
    await perform(client, updateEntity, { ...personOf('Jeff', 121), etag: '*' })
    await perform(client, deleteEntity, { ...jeff, etag: '*' })
    service.pass(10 * MINUTE - 2_000)
    await write(service, client, 300, 301)
    const [response] = await service.deliverLate()
    expect(response?.body).toContain('0:The specified entity already exists')
    expect((await service.rows()).has('Jeff')).toBe(false)
  })

  it("are as old as the service's clock says", async () => {
    const service = await exactService()
    let wrong = 0
    const client = service.client([], 0, () => wrong)
    await write(service, client, 0, 150)
    wrong = HOUR
    await write(service, client, 150, 300)
    expect(await markers(service)).toHaveLength(300)
  })

  it('stay while an attempt may arrive late, and those of an idempotencyKey', async () => {
    const service = await exactService()
    const client = service.client(['late', 'pass', 'pass', 'pass'])
    await perform(client, insertEntity, personOf('in doubt'))
    await perform(client, insertEntity, personOf('named'), { idempotencyKey: 'key-1' })
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    await write(service, client, 100, 101)
    expect(await markers(service)).toHaveLength(3)
    await service.deliverLate()
    expect((await service.rows()).size).toBe(106)
  })

  it('count only writes that were applied', async () => {
    const service = await exactService()
    const client = service.client()
    await write(service, client, 0, 50)
    const missing = { ...personOf('missing'), body: '', etag: '*' }
    for (let n = 0; n < 100; n++) await perform(client, deleteEntityIfExists, missing)
    await write(service, client, 50, 100)
    service.pass(11 * MINUTE)
    service.requests.length = 0
    await write(service, client, 100, 101)
    expect(service.requests).toHaveLength(2)
    expect(await markers(service)).toHaveLength(1)
  })

  it.each([
    ['the request is lost', 'late'],
    ['another sweep has deleted some', 'pass'],
  ] as const)('stay behind when %s, and the write succeeds', async (_, fate) => {
    const service = await exactService()
    const client = service.client([...Array<'pass'>(101).fill('pass'), fate])
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    const [first] = await markers(service)
    const other = { ...personOf(String(first)), body: '', etag: '*' }
    if (fate === 'pass') {
      await perform(service.client(), deleteEntity, other, { exactWrites: false })
    }
    service.requests.length = 0
    await write(service, client, 100, 101)
    expect(service.requests).toHaveLength(2)
    expect(await markers(service)).toHaveLength(fate === 'pass' ? 100 : 101)
  })

  it('are deleted within the deadline of the write', async () => {
    const service = await exactService()
    const client = service.client(Array<'pass'>(101).fill('pass'), 10)
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    service.requests.length = 0
    await perform(client, insertEntity, personOf('the last'), { deadline: 10 })
    expect(service.requests).toHaveLength(1)
    expect(await markers(service)).toHaveLength(101)
  })

  it('of many partitions take no more memory than 50,000 need', () => {
    const finished = new FinishedMarkers()
    const keyOf = (n: number) => ({ partitionKey: `p${n >> 6}`, rowKey: `~rk~op~${n}` })
    for (let n = 0; n < 60_000; n++) finished.add('people', keyOf(n), n)
    const later = 60 * MINUTE
    const full = Array.from({ length: 100 }, (_, n) =>
      finished.add('people', { partitionKey: 'q', rowKey: String(n) }, n),
    )
    expect(full.every((each) => each === undefined)).toBe(true)
    const old = finished.add('people', { partitionKey: 'q', rowKey: 'last' }, later)
    expect(old?.map(({ rowKey }) => rowKey)).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`))
  })

  it('of one partition are left to the sweep when there are more than 50,000', () => {
    const finished = new FinishedMarkers()
    const add = (n: number, storedAt: number) =>
      finished.add('people', { partitionKey: 'p', rowKey: String(n) }, storedAt)
    const early = Array.from({ length: 60_000 }, (_, n) => add(n, 0))
    expect(early.every((each) => each === undefined)).toBe(true)
    let deleted = 0
    for (let n = 60_000; n < 61_000; n++) deleted += add(n, 11 * MINUTE)?.length ?? 0
    expect(deleted).toBe(50_000)
  })
})

describe('sweepMarkers', () => {
  it("never deletes a marker before its age, by the service's clock", async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'))
    // This client believes that it is a year later.
    const fast = service.client()
    service.pass(DAY - 1_000)
    expect(await sweep(fast)).toBe(0)
    expect(await markers(service)).toHaveLength(1)
    service.pass(2_000)
    expect(await sweep(fast)).toBe(1)
    expect(await markers(service)).toEqual([])
  })

  longTest(
    'deletes all markers in the end, of every partition and page, and no other row',
    async () => {
      const service = await exactService()
      const client = service.client()
      for (let n = 0; n < 1_100; n++) {
        const key = { partitionKey: `p${n % 7}`, rowKey: `row ${n}` }
        const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
        await perform(client, insertEntity, { table: 'people', key, body })
      }
      service.pass(HOUR + 1_000)
      service.requests.length = 0
      expect(await sweep(service.client(), HOUR)).toBe(1_100)
      expect(service.requests.length).toBeLessThan(30)
      expect(await sweep(service.client(), HOUR)).toBe(0)
      expect(await markers(service)).toEqual([])
      expect((await service.rows()).size).toBe(1_000)
    },
  )

  it('reads at the primary only, whatever the mode of the service', async () => {
    const service = await exactService({ locationMode: 'secondaryThenPrimary' })
    await perform(service.client(), insertEntity, personOf('Jeff'))
    service.pass(DAY + 2_000)
    service.requests.length = 0
    expect(await sweep(service.client())).toBe(1)
    expect(service.requests.filter(isAtSecondary)).toEqual([])
  })

  it('deletes one by one what another sweep has begun to delete', async () => {
    const service = await exactService()
    for (const name of ['Anna', 'Ben', 'Carl']) {
      await perform(service.client(), insertEntity, personOf(name))
    }
    const [first] = await markers(service)
    service.pass(DAY + 1_000)
    const other = service.client([])
    const changes = [{ operation: deleteEntity, input: { ...personOf(String(first)), etag: '*' } }]
    const client = service.client()
    let calls = 0
    const racing: Transport = async (request, limits) => {
      const plain = { exactWrites: false }
      // After the page was read, and before the transaction.
      if (++calls === 2) {
        await perform(other, entityGroupTransaction, { table: 'people', changes }, plain)
      }
      return client.transport(request, limits)
    }
    expect(await sweepMarkers({ ...client, transport: racing }, 'people')).toBe(3)
    expect(await markers(service)).toEqual([])
  })

  it('shares its deadline among all of its requests', async () => {
    const service = await exactService()
    for (let n = 0; n < 30; n++) {
      const key = { partitionKey: `p${n}`, rowKey: 'row' }
      const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: 'row' })
      await perform(service.client(), insertEntity, { table: 'people', key, body })
    }
    service.pass(DAY + 2_000)
    const slow = service.client([], 10)
    const swept = sweepMarkers(slow, 'people', { deadline: 200 })
    await expect(swept).rejects.toMatchObject({ code: 'DeadlineExceeded' })
    expect(await markers(service)).toHaveLength(11)
  })

  it('rejects an age that a pending attempt may outlive', async () => {
    const service = await exactService()
    await expect(sweep(service.client(), 1_000)).rejects.toMatchObject({
      code: 'InvalidOptionValue',
    })
  })
})
