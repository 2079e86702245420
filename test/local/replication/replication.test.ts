import { DateTimeValue, InputError } from '@rowkey/odata'
import {
  createTable,
  findEntity,
  getServiceStats,
  insertEntity,
  perform,
  tableService,
} from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'
import { lockedStore } from '../../../packages/local/src/errors/store-error.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import {
  Replication,
  ReplicationQueue,
  recordingStore,
} from '../../../packages/local/src/replication/replication.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { jeff } from '../../rest/people.ts'
import { Conversation, changeSetOf } from '../../support/local-conversation.ts'
import { storedRow } from '../../support/stored-row.ts'

const row = (partitionKey: string, rowKey = 'x') => ({ PartitionKey: partitionKey, RowKey: rowKey })
const namesOf = (body: string) =>
  JSON.parse(body).value.map((one: { RowKey: string }) => one.RowKey)

const lagging = async (lag: number) => {
  const service = new Conversation({ replication: { lag } })
  await service.send('POST', '/Tables', { body: { TableName: 'people' } })
  service.now += lag
  const secondary = (target: string) => service.send('GET', target, { isSecondary: true })
  const lastSyncTime = async () => {
    const { body } = await secondary('/?restype=service&comp=stats')
    return Date.parse(/<LastSyncTime>([^<]+)</.exec(body)?.[1] ?? '')
  }
  return { service, secondary, lastSyncTime }
}

describe('the secondary with a lag', () => {
  it('R-15, R-119: shows a write when it is due, the primary at once, and returns the time of synchronization', async () => {
    const { service, secondary, lastSyncTime } = await lagging(60_000)
    expect(await lastSyncTime()).toBe(service.now)
    const written = service.now
    await service.send('POST', '/people', { body: row('a') })
    const path = "/people(PartitionKey='a',RowKey='x')"
    service.now += 59_000
    expect((await secondary(path)).status).toBe(404)
    expect(await lastSyncTime()).toBe(written)
    expect((await service.send('GET', path)).status).toBe(200)
    service.now += 1000
    expect(await lastSyncTime()).toBe(service.now)
    expect((await secondary(path)).body).toBe(
      (await service.send('GET', path)).body.replaceAll('/contoso/', '/contoso-secondary/'),
    )
  })

  it('R-119: shows a batch whole or not at all', async () => {
    const { service, secondary } = await lagging(1000)
    const inserts = ['a', 'b', 'c'].map((rowKey) => ({
      method: 'POST',
      target: '/people',
      headers: { 'content-type': 'application/json' },
      body: row('p', rowKey),
    }))
    await service.send('POST', '/$batch', changeSetOf(...inserts))
    expect(namesOf((await secondary('/people()')).body)).toEqual([])
    service.now += 1000
    expect(namesOf((await secondary('/people()')).body)).toEqual(['a', 'b', 'c'])
  })

  it('R-119: lets writes to different partitions overtake each other', async () => {
    const service = new Conversation({
      replication: { lag: ({ partitionKey }) => (partitionKey === 'slow' ? 1000 : 0) },
    })
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await service.send('POST', '/people', { body: row('slow', 'first') })
    await service.send('POST', '/people', { body: row('fast', 'second') })
    const shown = async () =>
      namesOf((await service.send('GET', '/people()', { isSecondary: true })).body)
    expect(await shown()).toEqual(['second'])
    service.now += 1000
    expect(await shown()).toEqual(['second', 'first'])
  })

  it('R-117: is read by a client, which can find out how far it is behind', async () => {
    const conversation = new Conversation({ replication: { lag: 5000 } })
    const { local } = conversation
    const clientIn = (locationMode: 'primaryOnly' | 'secondaryOnly') =>
      tableService({
        connectionString: local.connectionString(),
        transport: local.transport,
        now: () => conversation.now,
        locationMode,
      })
    const [writer, reader] = [clientIn('primaryOnly'), clientIn('secondaryOnly')]
    await perform(writer, createTable, { table: 'people' })
    conversation.now += 5000
    await perform(writer, insertEntity, jeff)
    expect(await perform(reader, findEntity, jeff)).toBeUndefined()
    const { lastSyncTime } = await perform(reader, getServiceStats, {})
    expect(lastSyncTime?.getTime()).toBe(conversation.now)
    conversation.now += 5000
    expect((await perform(reader, findEntity, jeff))?.raw).toMatchObject({ RowKey: 'Jeff' })
  })

  it('applies the same CORS rules to its responses and its preflights', async () => {
    const { service } = await lagging(1000)
    const rule =
      '<CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>5</MaxAgeInSeconds><ExposedHeaders /><AllowedHeaders /></CorsRule>'
    await service.send('PUT', '/?restype=service&comp=properties', {
      body: `<StorageServiceProperties><Cors>${rule}</Cors></StorageServiceProperties>`,
    })
    const headers = { origin: 'http://a.example', 'access-control-request-method': 'GET' }
    const seen = async (isSecondary: boolean) => {
      const preflight = await service.send('OPTIONS', '/people()', { headers, isSecondary })
      const read = await service.send('GET', '/people()', { headers, isSecondary })
      return [preflight.status, read.headers['access-control-allow-origin']]
    }
    expect([await seen(false), await seen(true)]).toEqual([
      [200, '*'],
      [403, undefined],
    ])
    service.now += 1000
    expect(await seen(true)).toEqual([200, '*'])
  })

  it('begins with the content of an opened store', async () => {
    const store = new MemoryStore()
    await store.createTable('contoso', 'people')
    const replication = new Replication({ store, accounts: ['contoso'], now: () => 0, lag: 10 })
    expect(await (await replication.secondary()).tableNames('contoso')).toEqual(['people'])
    expect(await (await replication.primary()).tableNames('contoso')).toEqual(['people'])
  })

  it('applies writes that are due, so that a secondary that is never read does not keep them', async () => {
    const store = new MemoryStore()
    let now = 0
    const replication = new Replication({
      store,
      accounts: ['contoso'],
      now: () => now,
      lag: 10,
    })
    for (; now < 5000; now++) {
      const primary = await replication.primary()
      await primary.setProperties('contoso', {})
    }
    const takeDue = vi.spyOn(ReplicationQueue.prototype, 'takeDue')
    await replication.secondary()
    expect(takeDue.mock.results[0]?.value.length).toBeLessThan(1100)
    takeDue.mockRestore()
  })

  it('starts again after the store could not be read, at both locations', async () => {
    const store = new MemoryStore()
    await store.createTable('contoso', 'people')
    const locked = lockedStore('./data')
    const reading = vi.spyOn(store, 'properties').mockRejectedValueOnce(locked)
    const replication = new Replication({ store, accounts: ['contoso'], now: () => 0, lag: 10 })
    await expect(replication.secondary()).rejects.toBe(locked)
    reading.mockRejectedValueOnce(locked)
    await expect(replication.primary()).rejects.toBe(locked)
    expect(await (await replication.primary()).tableNames('contoso')).toEqual(['people'])
    expect(await (await replication.secondary()).tableNames('contoso')).toEqual(['people'])
  })

  it.each([{ lag: -1 }, { lag: Number.NaN }, {}, { lag: 1, order: 'none' }])(
    'is rejected as %o',
    (replication) => {
      const options = { replication: replication as { lag: number } }
      expect(() => createService(options)).toThrow(InputError)
    },
  )
})

const copy = new MemoryStore()
const write = (partitionKey?: string) => ({ account: 'contoso', table: 'people', partitionKey })

describe('ReplicationQueue', () => {
  it('returns due writes once, and the time since when a write is missing', async () => {
    let now = 1000
    const queue = new ReplicationQueue(() => now, 100)
    const arrived: string[] = []
    expect(queue.lastSyncTime()).toBe(1000)
    queue.add(write('a'), async () => arrived.push('first'))
    now = 1050
    queue.add(write('a'), async () => arrived.push('second'))
    expect(queue.lastSyncTime()).toBe(1000)
    now = 1100
    for (const apply of queue.takeDue()) await apply(copy)
    expect(arrived).toEqual(['first'])
    expect(queue.lastSyncTime()).toBe(1050)
    now = 1150
    expect(queue.lastSyncTime()).toBe(1150)
    expect([queue.takeDue().length, queue.takeDue().length]).toEqual([1, 0])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, undefined, '5'])(
    'rejects a lag of %o, with which a write would never arrive, and makes it due',
    (lag) => {
      const queue = new ReplicationQueue(
        () => 0,
        () => lag as number,
      )
      expect(() => queue.add(write(), async () => {})).toThrow(InputError)
      expect(queue.takeDue().length).toBe(1)
    },
  )

  it('makes a write due at once when the lag function throws', () => {
    const failure = new Error('no lag')
    const queue = new ReplicationQueue(
      () => 0,
      () => {
        throw failure
      },
    )
    expect(() => queue.add(write(), async () => {})).toThrow(failure)
    expect(queue.takeDue().length).toBe(1)
  })

  it('drops pending writes', () => {
    const queue = new ReplicationQueue(() => 0, 0)
    queue.add(write(), async () => {})
    queue.clear()
    expect(queue.takeDue()).toEqual([])
  })

  it('R-119, R-120: keeps the order within a partition and of a whole table, for any lags', async () => {
    const writes = fc.array(
      fc.record({
        partitionKey: fc.constantFrom('a', 'b', undefined),
        lag: fc.nat(50),
        gap: fc.nat(10),
      }),
    )
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        let now = 0
        let lag = 0
        const queue = new ReplicationQueue(
          () => now,
          () => lag,
        )
        const arrived: number[] = []
        const arrive = async () => {
          for (const apply of queue.takeDue()) await apply(copy)
        }
        for (const [at, one] of all.entries()) {
          now += one.gap
          lag = one.lag
          await arrive()
          queue.add(write(one.partitionKey), async () => arrived.push(at))
        }
        now += 60
        await arrive()
        expect(arrived.length).toBe(all.length)
        const keyOf = (at: number) => all[at]?.partitionKey
        arrived.forEach((at, place) => {
          const overtaken = arrived.slice(place + 1).filter((later) => later < at)
          const ordered = overtaken.filter(
            (later) =>
              keyOf(later) === keyOf(at) || keyOf(later) === undefined || keyOf(at) === undefined,
          )
          expect(ordered).toEqual([])
        })
      }),
    )
  })
})

const recordedRow = storedRow(
  { partitionKey: 'a', rowKey: 'b' },
  new DateTimeValue(0, 0),
  new Map(),
)

it('a recording store forwards everything, and each write can be repeated', async () => {
  const [below, copy] = [new MemoryStore(), new MemoryStore()]
  const queue = new ReplicationQueue(() => 0, 0)
  const store = recordingStore(below, queue)
  expect(await store.createTable('contoso', 'People')).toBe(true)
  expect(await store.createTable('contoso', 'people')).toBe(false)
  await store.createTable('contoso', 'places')
  expect(await store.dropTable('contoso', 'Places')).toBe(true)
  expect(await store.dropTable('contoso', 'places')).toBe(false)
  const table = (await store.findTable('contoso', 'people')) ?? expect.fail('it was created')
  expect(await table.change([recordedRow], () => [recordedRow])).toEqual([recordedRow])
  await table.setPolicies([
    { id: 'readers', start: undefined, expiry: undefined, permissions: 'r' },
  ])
  const minuteMetrics = { ...NEW_SERVICE.minuteMetrics, enabled: true }
  await store.setProperties('contoso', { minuteMetrics })

  const kept = new Map([['contoso/places', 5]])
  await store.setKeptNames(kept)
  expect(await below.keptNames()).toEqual(kept)
  expect(await store.keptNames()).toEqual(kept)

  for (const apply of queue.takeDue()) await apply(copy)
  for (const one of [store, below, copy]) {
    expect(await one.tableNames('contoso')).toEqual(['People'])
    expect(await one.properties('contoso')).toEqual({ ...NEW_SERVICE, minuteMetrics })
    const found = await one.findTable('contoso', 'people')
    expect(found?.name).toBe('People')
    expect(await found?.get(recordedRow)).toBe(recordedRow)
    expect((await found?.policies())?.length).toBe(1)
    const seen: StoredEntity[] = []
    await found?.scan(EVERYTHING, (each) => seen.push(each) > 0)
    expect(seen).toEqual([recordedRow])
  }
  await store.close()
  expect(await below.tableNames('contoso')).toEqual([])
})

it('a write to a table that is deleted in the meantime is dropped', async () => {
  const queue = new ReplicationQueue(() => 0, 0)
  const store = recordingStore(new MemoryStore(), queue)
  await store.createTable('contoso', 'people')
  queue.clear()
  await (await store.findTable('contoso', 'people'))?.change([recordedRow], () => [recordedRow])
  for (const apply of queue.takeDue()) {
    await expect(apply(new MemoryStore())).resolves.toBeUndefined()
  }
})
