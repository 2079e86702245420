import {
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  noRetry,
  perform,
  sweepMarkers,
  type TableService,
  type Transport,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { exactService, isAtSecondary, markersIn, meeting, personOf } from './exact-service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const sweep = (service: TableService, olderThan?: number) =>
  sweepMarkers(service, 'people', { olderThan })

describe('sweepMarkers', () => {
  it("never deletes a marker before its age, by the service's clock", async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'))
    // This client believes that it is a year later.
    const fast = service.client()
    service.pass(DAY - 1_000)
    expect(await sweep(fast)).toBe(0)
    expect(await markersIn(service)).toHaveLength(1)
    service.pass(1_000)
    expect(await sweep(fast)).toBe(1)
    expect(await markersIn(service)).toEqual([])
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
      expect(await markersIn(service)).toEqual([])
      expect((await service.rows()).size).toBe(1_000)
    },
  )

  it.each([
    ['the service', 'date'],
    ['the marker', 'Timestamp'],
  ])('deletes no marker when the response lacks the time of %s', async (_, lacking) => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'))
    service.pass(2 * DAY)
    const inner = service.client()
    const client = meeting(inner, async (request) => {
      const { headers, body, status } = await inner.transport(request)
      const { [lacking]: _, ...others } = headers
      return { status, headers: others, body: body.replace(`"${lacking}"`, '"Other"') }
    })
    expect(await sweep(client)).toBe(0)
    expect(await markersIn(service)).toHaveLength(1)
  })

  it('deletes only the markers of the rows that it is given', async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'))
    service.pass(2 * DAY)
    const swept = (among: string) => sweepMarkers(service.client(), 'people', {}, among)
    expect(await swept("PartitionKey eq 'Jones' or PartitionKey eq 'Brown'")).toBe(0)
    expect(await swept("PartitionKey eq 'Jones' or PartitionKey eq 'Smith'")).toBe(1)
  })

  it('ends when its transaction fails for another reason, and deletes nothing one by one', async () => {
    const service = await exactService()
    await perform(service.client(), insertEntity, personOf('Jeff'))
    service.pass(2 * DAY)
    service.requests.length = 0
    const cut = service.client(['pass', 'late'])
    await expect(sweepMarkers(cut, 'people', { retry: noRetry })).rejects.toMatchObject({
      code: 'AmbiguousWrite',
    })
    expect(service.requests).toHaveLength(2)
  })

  it('goes on one by one when the response to its transaction was lost', async () => {
    const service = await exactService()
    for (const name of ['Anna', 'Ben'])
      await perform(service.client(), insertEntity, personOf(name))
    service.pass(2 * DAY)
    expect(await sweep(service.client(['pass', 'lost response']))).toBe(2)
    expect(await markersIn(service)).toEqual([])
  })

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
    const [first] = await markersIn(service)
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
    expect(await markersIn(service)).toEqual([])
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
    expect(await markersIn(service)).toHaveLength(11)
  })

  it('rejects an age that a pending attempt may outlive', async () => {
    const service = await exactService()
    await expect(sweep(service.client(), 1_000)).rejects.toMatchObject({
      code: 'InvalidOptionValue',
    })
  })
})
