import {
  deleteEntity,
  deleteEntityIfExists,
  insertEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { FinishedMarkers } from '../../../packages/rest/src/exact/finished-markers.ts'
import { type ExactService, exactService, markersIn, meeting, personOf } from './exact-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const jeff = personOf('Jeff')
const plain = { exactWrites: false }

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
    expect(await markersIn(service)).toHaveLength(250)
    service.pass(10 * MINUTE - 1_000)
    await write(service, client, 250, 251)
    expect(await markersIn(service)).toHaveLength(251)
    service.pass(2_000)
    for (const left of [152, 53, 54]) {
      service.requests.length = 0
      await perform(client, insertEntity, personOf(`with ${left}`))
      expect(service.requests).toHaveLength(left === 54 ? 1 : 2)
      expect(await markersIn(service)).toHaveLength(left)
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
    expect(await markersIn(service)).toHaveLength(300)
  })

  it('stay while an attempt may arrive late, and those of an idempotencyKey', async () => {
    const service = await exactService()
    const client = service.client(['late', 'pass', 'pass', 'pass'])
    await perform(client, insertEntity, personOf('in doubt'))
    await perform(client, insertEntity, personOf('named'), { idempotencyKey: 'key-1' })
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    await write(service, client, 100, 101)
    expect(await markersIn(service)).toHaveLength(3)
    await perform(service.client(), deleteEntity, { ...personOf('in doubt'), etag: '*' }, plain)
    await service.deliverLate()
    expect((await service.rows()).has('in doubt')).toBe(false)
  })

  it('stay when a response does not say when they were stored, and the others are deleted', async () => {
    const service = await exactService()
    const inner = service.client()
    let first = true
    const client = meeting(inner, async (request) => {
      const { headers, ...response } = await inner.transport(request)
      const { date: _, ...undated } = headers
      const given = first ? undated : headers
      first = false
      return { ...response, headers: given }
    })
    await write(service, client, 0, 101)
    service.pass(11 * MINUTE)
    await write(service, client, 101, 102)
    expect(await markersIn(service)).toHaveLength(2)
  })

  it('are deleted before the write returns', async () => {
    const service = await exactService()
    let isSlow = false
    const client = meeting(service.client(), async ({ body = '' }) => {
      if (isSlow && body.includes('DELETE ')) await new Promise((resolve) => setImmediate(resolve))
      return undefined
    })
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    isSlow = true
    await write(service, client, 100, 101)
    expect(await markersIn(service)).toHaveLength(1)
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
    expect(await markersIn(service)).toHaveLength(1)
  })

  it.each([
    ['the request is lost', 'late'],
    ['another sweep has deleted some', 'pass'],
  ] as const)('stay behind when %s, and the write succeeds', async (_, fate) => {
    const service = await exactService()
    const client = service.client([...Array<'pass'>(101).fill('pass'), fate])
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    const [first] = await markersIn(service)
    const other = { ...personOf(String(first)), body: '', etag: '*' }
    if (fate === 'pass') {
      await perform(service.client(), deleteEntity, other, plain)
    }
    service.requests.length = 0
    await write(service, client, 100, 101)
    expect(service.requests).toHaveLength(2)
    expect(await markersIn(service)).toHaveLength(fate === 'pass' ? 100 : 101)
  })

  it('are deleted within the deadline of the write', async () => {
    const service = await exactService()
    const client = service.client(Array<'pass'>(101).fill('pass'), 10)
    await write(service, client, 0, 100)
    service.pass(11 * MINUTE)
    service.requests.length = 0
    await perform(client, insertEntity, personOf('the last'), { deadline: 10 })
    expect(service.requests).toHaveLength(1)
    expect(await markersIn(service)).toHaveLength(101)
  })

  it.each([[[5, 0, 0]], [[0, 5, 0]], [[0, 0, 5]]])(
    'are as old as the last that was stored, at %j minutes',
    (minutes) => {
      const finished = new FinishedMarkers()
      const add = (n: number, storedAt: number) =>
        finished.add('people', { partitionKey: 'p', rowKey: String(n) }, storedAt)
      const stored = [...minutes, ...Array<number>(96).fill(0), minutes[2] ?? 0]
      for (const [n, minute] of stored.entries()) add(n, minute * MINUTE)
      expect(add(100, 15 * MINUTE)).toBeUndefined()
      expect(add(101, 15 * MINUTE + 1_000)).toHaveLength(100)
    },
  )

  it('of many partitions are left to the sweep when there are more than 50,000: first those of partitions written longest ago', () => {
    const finished = new FinishedMarkers()
    const add = (partition: number, n: number, storedAt = 0) =>
      finished.add('people', { partitionKey: `p${partition}`, rowKey: String(n) }, storedAt)
    const fill = (partition: number, from = 0) => {
      for (let n = from; n < 100; n++) add(partition, n)
    }
    for (let n = 0; n < 99; n++) add(0, n)
    for (let partition = 1; partition < 500; partition++) fill(partition)
    // The first partition is now the last that was written.
    fill(0, 99)
    for (let partition = 500; partition < 510; partition++) fill(partition)
    const kept = Array.from({ length: 510 }, (_, partition) => partition).filter(
      (partition) => add(partition, 100, 11 * MINUTE) !== undefined,
    )
    // The next marker of the first partition took the place of the eleventh.
    expect(kept).toEqual([0, ...Array.from({ length: 498 }, (_, at) => at + 12)])
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
