import type { RowKeeper, RowPath } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

const LAZY = '../../../../packages/mapper/src/table/read/run-queries.ts'

let load: ReturnType<typeof slowLoad>

/** Holds back the code that runs queries until a test lets it come. */
function slowLoad() {
  let arrive = () => {}
  let fail = (_: Error) => {}
  const gate = new Promise<void>((resolve, reject) => {
    arrive = resolve
    fail = reject
  })
  vi.doMock(LAZY, async (original) => {
    await gate
    return original()
  })
  return { arrive, fail }
}

beforeEach(() => {
  vi.resetModules()
  load = slowLoad()
})

afterEach(() => {
  vi.doUnmock(LAZY)
})

/** A query in a program that has not run one yet. */
async function firstQuery() {
  const { freshAccount } = await import('../../fresh-account.ts')
  const { account, service, sent } = freshAccount()
  const people = account.table('people')
  await people.create()
  sent.length = 0
  return { service, sent, people, query: people.query().where({ partitionKey: 'Smith' }) }
}

describe('a query whose code is not loaded yet', () => {
  it('ends with an AbortError when its signal aborts, and sends nothing', async () => {
    const { query, sent } = await firstQuery()
    const controller = new AbortController()
    const reason = new RangeError('enough')
    const rows = query.toArray({ signal: controller.signal })
    const listening = expect(rows).rejects.toMatchObject({
      name: 'AbortError',
      cause: reason,
      mayHaveApplied: false,
    })
    controller.abort(reason)
    await listening
    expect(sent).toEqual([])
  })

  it('ends so, too, in a loop over its pages', async () => {
    const { query, sent } = await firstQuery()
    const controller = new AbortController()
    const page = query.byPage({ signal: controller.signal }).next()
    controller.abort()
    await expect(page).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
  })

  it('is run by the code that its source loads without a run', async () => {
    const { service, sent } = await firstQuery()
    const { entitySource } = await import(
      '../../../../packages/mapper/src/table/read/table-query.ts'
    )
    const rows = {} as Parameters<typeof entitySource>[0]['rows'] // not reached
    const source = entitySource({ service, table: 'people', rows })
    const controller = new AbortController()
    const aborted = source.fetchPage({}, { projected: false }, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
    const page = source.fetchPage({}, { projected: false }, {})
    const row = source.findRow({ partitionKey: 'Smith', rowKey: 'Jeff' }, {}, {})
    load.arrive()
    expect(await page).toEqual({ items: [] })
    expect(await row).toBeUndefined()
  })

  it('fails by its own checks when its signal has aborted before the run', async () => {
    const { query, people, sent } = await firstQuery()
    const signal = AbortSignal.abort()
    const [aborted, scan] = [query.toArray({ signal }), people.query().toArray({ signal })]
    load.arrive()
    await expect(scan).rejects.toMatchObject({ code: 'TableScan' })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
  })

  it('has its own copy of the options', async () => {
    const { query, sent } = await firstQuery()
    const options = { exactWrites: false }
    const count = query.count(options)
    options.exactWrites = true // reads the RowKey, too
    load.arrive()
    expect(await count).toBe(0)
    expect(sent[0]?.query).toMatch(/select=PartitionKey(&|$)/)
  })

  it('adds no listener to a signal that many runs share', async () => {
    const { query } = await firstQuery()
    const { signal } = new AbortController()
    const listen = vi.spyOn(signal, 'addEventListener')
    const runs = Array.from({ length: 12 }, () => query.toArray({ signal }))
    expect(listen).not.toHaveBeenCalled()
    load.arrive()
    expect(await Promise.all(runs)).toEqual(runs.map(() => []))
  })

  it('is pending, so that a drain completes it', async () => {
    const { service, query, sent } = await firstQuery()
    const rows = query.toArray()
    const closed = service.close({ drain: true })
    load.arrive()
    expect(await rows).toEqual([])
    expect(sent).toHaveLength(1)
    await closed
    await expect(query.toArray()).rejects.toMatchObject({ name: 'TransportError' })
  })

  it('fails at once when the code cannot be loaded, and loads it with the next query', async () => {
    const { query, sent } = await firstQuery()
    const rows = query.toArray()
    load.fail(new Error('offline'))
    await expect(rows).rejects.toMatchObject({ code: 'PartNotLoaded' })
    expect(sent).toEqual([])
    vi.doUnmock(LAZY)
    expect(await query.toArray()).toEqual([])
  })

  it('rejects unknown options before the load', async () => {
    const { query } = await firstQuery()
    await expect(query.toArray({ sginal: 1 } as object)).rejects.toMatchObject({
      code: 'UnknownOption',
    })
  })
})

/** What makes the queries of a model special. */
const KINDS = ['with a lifetime', 'with a keeper', 'in a union'] as const

/** The query of a model of this kind, in a program that has not run one yet. */
async function firstQueryOf(kind: (typeof KINDS)[number]) {
  const { defineEntity, keepRows, key, lifetime, union } = await import('@rowkey/mapper')
  const { freshAccount } = await import('../../fresh-account.ts')
  const { account, service, sent } = freshAccount()
  const Point = defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), endsOn: z.date().optional() }),
    ...(kind === 'with a lifetime' && { lifetime: lifetime({ expiresAt: 'endsOn' }) }),
  })
  const path: RowPath = { explain: () => ({ reasons: [] }), fetchPage: async () => undefined }
  const plan: RowKeeper['plan'] = async () => ({ companions: [], rejected: async (_, e) => e })
  if (kind === 'with a keeper') keepRows(Point, { path, touches: () => false, plan })
  const table = kind === 'in a union' ? account.table('points', union(Point)) : account.table(Point)
  await table.create()
  sent.length = 0
  return { service, sent, query: table.query().where({ map: 'm' }) }
}

describe('the first query of a model', () => {
  it.each(KINDS)('%s is pending and obeys its signal while its code loads', async (kind) => {
    const { service, sent, query } = await firstQueryOf(kind)
    const controller = new AbortController()
    const aborted = query.count({ signal: controller.signal })
    const kept = query.toArray()
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
    const closed = service.close({ drain: true })
    load.arrive()
    expect(await kept).toEqual([])
    await closed
    expect(sent).toHaveLength(1)
  })
})

describe('a read of one or several keys whose code is not loaded yet', () => {
  it('reads the keys that getMany had when it was called', async () => {
    const { people, sent } = await firstQuery()
    const keys: [string, string][] = [['Smith', 'Jeff']]
    const found = people.getMany(keys)
    keys.push(['Smith', 'Ben'])
    load.arrive()
    expect(await found).toEqual([undefined])
    expect(sent).toHaveLength(1)
  })

  it('is pending in getMany, so that a drain completes it', async () => {
    const { people, service } = await firstQuery()
    const found = people.getMany([['Smith', 'Jeff']])
    const closed = service.close({ drain: true })
    load.arrive()
    expect(await found).toEqual([undefined])
    await closed
  })

  it('ends getMany with an AbortError when its signal aborts, and sends nothing', async () => {
    const { people, sent } = await firstQuery()
    const controller = new AbortController()
    const found = people.getMany([['Smith', 'Jeff']], { signal: controller.signal })
    controller.abort()
    await expect(found).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
  })

  it('calls a resolver once the row has come', async () => {
    const { people, sent } = await firstQuery()
    await people.insert(new DynamicEntity('Smith', 'Jeff'))
    const resolve = vi.fn((partitionKey: string, rowKey: string) => `${rowKey} ${partitionKey}`)
    const name = people.get(['Smith', 'Jeff'], { resolve })
    const none = people.find(['Smith', 'Zoe'], { resolve })
    expect(await none).toBeUndefined()
    expect(sent).toHaveLength(3)
    expect(resolve).not.toHaveBeenCalled()
    load.arrive()
    expect(await name).toBe('Jeff Smith')
  })
})
