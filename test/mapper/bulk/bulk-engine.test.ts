import { noRetry, type Transport, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { bulkTable, row, rows } from './bulk-account.ts'
import { stuckInput } from './stuck-input.ts'

describe('the flow of a bulk writer', () => {
  it('R-58: never has two transactions of one partition in flight', async () => {
    const busy = new Set<string>()
    let overlaps = 0
    const { table } = await bulkTable((transport) => async (request, limits) => {
      const partition = /PartitionKey='(\w)'|"PartitionKey":"(\w)"/.exec(request.body ?? '')?.[0]
      if (partition === undefined) return transport(request, limits)
      if (busy.has(partition)) overlaps++
      busy.add(partition)
      await new Promise(setImmediate)
      const response = await transport(request, limits)
      busy.delete(partition)
      return response
    })
    const mixed = rows('a', 250).flatMap((one, at) => [
      one,
      row('b', one.rowKey, at),
      row('c', one.rowKey, at),
    ])
    expect(await table.bulk().insert(mixed)).toMatchObject({ done: 750 })
    expect(overlaps).toBe(0)
  })

  it('reads no more input than its buffer holds', async () => {
    let arrived = 0
    let read = 0
    let ahead = 0
    const { table } = await bulkTable((transport) => async (request, limits) => {
      const response = await transport(request, limits)
      arrived += request.body?.match(/^POST /gm)?.length ?? 0
      return response
    })
    function* input() {
      for (const entity of rows('p', 500)) {
        read++
        ahead = Math.max(ahead, read - arrived)
        yield entity
      }
    }
    await table.bulk({ buffer: 150 }).insert(input())
    expect(read).toBe(500)
    expect(ahead).toBeLessThanOrEqual(151)
  })

  it('adds one transaction at once after successes, and halves when the service throttles', async () => {
    const { table, mostAtOnce, local, writes } = await bulkTable(undefined, { retry: noRetry })
    const spread = Array.from({ length: 400 }, (_, at) => row(`p${at}`, '1', at))
    await table.bulk({ concurrency: 6 }).insert(spread)
    expect(mostAtOnce()).toBe(6)
    local.faults.add({ fault: { kind: 'rejection', code: 'ServerBusy' }, times: 30 })
    writes().length = 0
    const summary = await table.bulk({ concurrency: 6, attempts: 40 }).insertOrReplace(spread)
    expect(summary).toMatchObject({ done: 400 })
    expect(writes()).toHaveLength(430)
  })

  it('sends a throttled transaction again, with growing waits, as often as attempts says', async () => {
    const { table, local, waits, stored } = await bulkTable(undefined, { retry: noRetry })
    local.faults.add({ fault: { kind: 'rejection', code: 'TooManyRequests' }, times: 7 })
    expect(await table.bulk({ attempts: 8 }).insert(rows('p', 3))).toMatchObject({ done: 3 })
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(Object.keys(await stored())).toHaveLength(3)
    local.faults.add({ fault: { kind: 'rejection', code: 'ServerBusy' } })
    const summary = await table.bulk({ attempts: 2 }).insert(rows('q', 3)).summary()
    expect(summary).toMatchObject({
      failed: 3,
      failures: [{ error: { code: 'ServerBusy' } }, {}, {}],
    })
  })
})

describe('the truth of a bulk writer', () => {
  it('settles everything truthfully when the signal aborts', async () => {
    const controller = new AbortController()
    let requests = 0
    const { table, stored } = await bulkTable((transport) => async (request, limits) => {
      const response = await transport(request, limits)
      if (request.method === 'POST' && request.body?.includes('batch_') && ++requests === 2) {
        controller.abort(new TypeError('enough'))
        limits?.signal?.throwIfAborted()
      }
      return response
    })
    const run = table.bulk({ concurrency: 1, signal: controller.signal }).insert(rows('p', 1_000))
    const counts: Record<string, number> = {}
    const loop = (async () => {
      for await (const { status } of run) counts[status] = (counts[status] ?? 0) + 1
    })()
    await expect(loop).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: true })
    const summary = await run.summary()
    expect(summary).toMatchObject({ ending: 'aborted', cause: { message: 'enough' } })
    expect(counts).toMatchObject({ done: 100, unknown: 100 })
    expect(Object.keys(await stored())).toHaveLength(200)
  })

  it('sends nothing when its signal has aborted', async () => {
    const { table, writes } = await bulkTable()
    const run = table.bulk({ signal: AbortSignal.abort() }).insert(rows('p', 10))
    await expect(Promise.resolve(run)).rejects.toMatchObject({
      name: 'AbortError',
      mayHaveApplied: false,
    })
    expect(writes()).toEqual([])
  })

  it('ends what is in flight, and sends nothing new, when the loop is left', async () => {
    const { table, stored } = await bulkTable()
    const run = table.bulk({ concurrency: 1 }).insert(rows('p', 1_000))
    for await (const outcome of run) {
      expect(outcome.status).toBe('done')
      break
    }
    const summary = await run.summary()
    expect(summary).toMatchObject({ ending: 'left', unknown: 0 })
    expect(Object.keys(await stored())).toHaveLength(summary.done)
    expect(summary.done).toBeLessThan(1_000)
  })

  it('counts a deadline for the whole write', async () => {
    const { table, pass } = await bulkTable()
    const bulk = table.bulk({ concurrency: 1, deadline: 1_500, onProgress: () => pass(1_000) })
    const summary = await bulk.insert(rows('p', 1_000)).summary()
    expect(summary).toMatchObject({
      ending: 'failed',
      cause: { code: 'DeadlineExceeded' },
      done: 200,
    })
  })
})

describe('a bulk write whose account is closed', () => {
  it('reports what is in flight as unknown, and reads no further', async () => {
    let close = () => {}
    let isSent = false
    const failure = 'closed'
    const opened = await bulkTable((transport) =>
      Object.assign(
        async (...[request, limits]: Parameters<Transport>) => {
          const response = await transport(request, limits)
          if (!request.body?.includes('multipart')) return response
          isSent = true
          return new Promise<never>((_, reject) => {
            close = () =>
              reject(new TransportError({ message: 'Closed.', failure, mayHaveApplied: true }))
          })
        },
        { close: async () => close() },
      ),
    )
    let read = 0
    function* endless() {
      for (;;) yield row('p', String(read++), 1)
    }
    const summary = opened.table.bulk({ concurrency: 1, buffer: 300 }).insert(endless()).summary()
    while (!isSent) await new Promise(setImmediate)
    await opened.account.close()
    expect(await summary).toMatchObject({
      ending: 'failed',
      cause: { failure },
      done: 0,
      unknown: 100,
      failed: 200,
    })
    expect(read).toBe(300)
  })

  it('ends although its account only drains when it begins', async () => {
    const { account, table } = await bulkTable()
    const first = table
      .bulk()
      .insert(stuckInput(rows('p', 2)).input)
      .summary()
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    const drained = account.close({ drain: true })
    const late = await table
      .bulk()
      .insert(stuckInput(rows('q', 2)).input)
      .summary()
    expect(late).toMatchObject({ ending: 'failed', cause: { failure: 'closed' }, read: 0 })
    await account.close()
    await drained
    expect(await first).toMatchObject({ done: 2 })
  })
})
