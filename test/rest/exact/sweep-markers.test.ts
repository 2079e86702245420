import {
  type CallOptions,
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  type Operation,
  perform,
  sweepMarkers,
  type TableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type ExactService, exactService, personOf } from './exact-service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const sweep = (service: TableService, olderThan?: number) =>
  sweepMarkers((...call) => perform(service, ...call), 'people', { olderThan })

async function markers(service: ExactService): Promise<readonly string[]> {
  return [...(await service.rows()).keys()].filter((key) => key.startsWith('~rk~op~'))
}

describe('the markers of finished writes', () => {
  it('are deleted 100 at once, in one request', async () => {
    const service = await exactService()
    const client = service.client()
    for (let n = 0; n < 99; n++) await perform(client, insertEntity, personOf(`row ${n}`))
    expect(await markers(service)).toHaveLength(99)
    service.requests.length = 0
    await perform(client, insertEntity, personOf('the last'))
    expect(service.requests).toHaveLength(2)
    expect(await markers(service)).toEqual([])
  })

  it('stay while an attempt may arrive late, and those of an idempotencyKey', async () => {
    const service = await exactService()
    const client = service.client(['late', 'pass', 'pass', 'pass'])
    await perform(client, insertEntity, personOf('in doubt'))
    await perform(client, insertEntity, personOf('named'), { idempotencyKey: 'key-1' })
    for (let n = 0; n < 100; n++) await perform(client, insertEntity, personOf(`row ${n}`))
    expect(await markers(service)).toHaveLength(2)
    await service.deliverLate()
    expect((await service.rows()).size).toBe(104)
  })

  it('stay behind when they cannot be deleted, and the write succeeds', async () => {
    const service = await exactService()
    const client = service.client([...Array<'pass'>(100).fill('pass'), 'late'])
    for (let n = 0; n < 100; n++) await perform(client, insertEntity, personOf(`row ${n}`))
    expect(await markers(service)).toHaveLength(100)
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

  it('deletes all markers in the end, of every partition and page, and no other row', async () => {
    const service = await exactService()
    for (let n = 0; n < 1_100; n++) {
      const key = { partitionKey: `p${n % 7}`, rowKey: `row ${n}` }
      const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
      // A client of its own remembers no finished marker.
      await perform(service.client(), insertEntity, { table: 'people', key, body })
    }
    service.pass(HOUR + 1_000)
    service.requests.length = 0
    expect(await sweep(service.client(), HOUR)).toBe(1_100)
    expect(service.requests.length).toBeLessThan(30)
    expect(await sweep(service.client(), HOUR)).toBe(0)
    expect(await markers(service)).toEqual([])
    expect((await service.rows()).size).toBe(1_000)
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
    async function racing<Input, Output>(
      operation: Operation<Input, Output>,
      input: Input,
      options: CallOptions,
    ): Promise<Awaited<Output>> {
      const plain = { exactWrites: false }
      // After the page was read, and before the transaction.
      if (++calls === 2) {
        await perform(other, entityGroupTransaction, { table: 'people', changes }, plain)
      }
      return perform(client, operation, input, options)
    }
    expect(await sweepMarkers(racing, 'people')).toBe(3)
    expect(await markers(service)).toEqual([])
  })

  it('rejects an age that a pending attempt may outlive', async () => {
    const service = await exactService()
    await expect(sweep(service.client(), 1_000)).rejects.toMatchObject({
      code: 'InvalidOptionValue',
    })
  })
})
