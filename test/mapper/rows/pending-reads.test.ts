import { defineEntity, keepRows, key, lifetime, type RowKeeper, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

async function people() {
  const { account, service, sent } = freshAccount()
  const table = account.table('people')
  await table.create()
  sent.length = 0
  return { service, sent, table, query: table.query().where({ partitionKey: 'Smith' }) }
}

describe('a query', () => {
  it('whose signal aborts while it waits ends with an AbortError', async () => {
    const { query } = await people()
    const controller = new AbortController()
    const reason = new RangeError('enough')
    const rows = query.toArray({ signal: controller.signal })
    controller.abort(reason)
    await expect(rows).rejects.toMatchObject({
      name: 'AbortError',
      cause: reason,
      mayHaveApplied: false,
    })
  })

  it('fails by its own checks when its signal has aborted before the run', async () => {
    const { query, table, sent } = await people()
    const signal = AbortSignal.abort()
    await expect(table.query().toArray({ signal })).rejects.toMatchObject({ code: 'TableScan' })
    const aborted = query.toArray({ signal })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
  })

  it('has its own copy of the options', async () => {
    const { query, sent } = await people()
    const options = { exactWrites: false }
    const count = query.count(options)
    options.exactWrites = true // reads the RowKey, too
    expect(await count).toBe(0)
    expect(sent[0]?.query).toMatch(/select=PartitionKey(&|$)/)
  })

  it('is pending, so that a drain completes it', async () => {
    const { service, query, sent } = await people()
    const rows = query.toArray()
    const closed = service.close({ drain: true })
    expect(await rows).toEqual([])
    expect(sent).toHaveLength(1)
    await closed
    await expect(query.toArray()).rejects.toMatchObject({ name: 'TransportError' })
  })

  it('rejects unknown options', async () => {
    const { query } = await people()
    await expect(query.toArray({ sginal: 1 } as object)).rejects.toMatchObject({
      code: 'UnknownOption',
    })
  })
})

/** What makes the queries of a model special. */
const KINDS = ['with a lifetime', 'with a keeper', 'in a union'] as const

/** The query of a model of this kind. */
async function queryOfKind(kind: (typeof KINDS)[number]) {
  const { account, service, sent } = freshAccount()
  const Point = defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), endsOn: z.date().optional() }),
    ...(kind === 'with a lifetime' && { lifetime: lifetime({ expiresAt: 'endsOn' }) }),
  })
  const source: RowKeeper['source'] = (own) => ({ ...own })
  const plan: RowKeeper['plan'] = async () => ({ companions: [], rejected: async (_, e) => e })
  if (kind === 'with a keeper') keepRows(Point, { source, touches: () => false, plan })
  const table = kind === 'in a union' ? account.table('points', union(Point)) : account.table(Point)
  await table.create()
  sent.length = 0
  return { service, sent, query: table.query().where({ map: 'm' }) }
}

describe('the query of a model', () => {
  it.each(KINDS)('%s is pending and obeys its signal', async (kind) => {
    const { service, sent, query } = await queryOfKind(kind)
    const aborted = query.count({ signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
    const kept = query.toArray()
    const closed = service.close({ drain: true })
    expect(await kept).toEqual([])
    await closed
    expect(sent).toHaveLength(1)
  })
})

describe('a read of one or several keys', () => {
  it('reads the keys that getMany had when it was called', async () => {
    const { table, sent } = await people()
    const keys: [string, string][] = [['Smith', 'Jeff']]
    const found = table.getMany(keys)
    keys.push(['Smith', 'Ben'])
    expect(await found).toEqual([undefined])
    expect(sent).toHaveLength(1)
  })

  it('is pending in getMany, so that a drain completes it', async () => {
    const { table, service } = await people()
    const found = table.getMany([['Smith', 'Jeff']])
    const closed = service.close({ drain: true })
    expect(await found).toEqual([undefined])
    await closed
  })

  it('calls a resolver for a row that exists', async () => {
    const { table, sent } = await people()
    await table.insert(new DynamicEntity('Smith', 'Jeff'))
    const resolve = vi.fn((partitionKey: string, rowKey: string) => `${rowKey} ${partitionKey}`)
    expect(await table.get(['Smith', 'Jeff'], { resolve })).toBe('Jeff Smith')
    expect(await table.find(['Smith', 'Zoe'], { resolve })).toBeUndefined()
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(sent).toHaveLength(3)
  })
})
