import type { BulkRun } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { bulkTable, row, rows } from './bulk-account.ts'
import { stuckInput } from './stuck-input.ts'

describe('a bulk writer', () => {
  it('reads a stream of the web where streams cannot be iterated over', async () => {
    const { table, stored } = await bulkTable()
    const stream = ReadableStream.from([row('a', '1', 1)])
    const { done } = await table.bulk().insert({ getReader: () => stream.getReader() })
    expect(done).toBe(1)
    expect(await stored()).toEqual({ 'a/1': 1 })
  })
})

describe('the truth of a bulk writer', () => {
  it('writes what was read before its input fails, and reports the failure', async () => {
    const { table, stored } = await bulkTable()
    function* input() {
      yield row('p', '1', 1)
      throw new TypeError('torn file')
    }
    const run = table.bulk().insert(input())
    await expect(Promise.resolve(run)).rejects.toMatchObject({
      code: 'BulkIncomplete',
      cause: { message: 'torn file' },
      summary: { done: 1, ending: 'failed' },
    })
    expect(await stored()).toEqual({ 'p/1': 1 })
  })

  it.each([5, undefined])('ends when next() of the input returns %s', async (result) => {
    const { table } = await bulkTable()
    const next = async () => result as never
    const summary = await table
      .bulk()
      .insert({ [Symbol.asyncIterator]: () => ({ next }) })
      .summary()
    expect(summary).toMatchObject({ read: 0, ending: 'failed' })
    expect(summary.cause).toMatchObject({
      message: expect.stringContaining('must return { done, value }'),
    })
  })

  it('ends an input that never gives its next item, when the signal aborts', async () => {
    const { table } = await bulkTable()
    const controller = new AbortController()
    async function* input() {
      yield row('p', '1', 1)
      await new Promise(() => {})
    }
    const run = table.bulk({ signal: controller.signal }).insert(input())
    for await (const { status } of run) {
      expect(status).toBe('done')
      break
    }
    expect(await run.summary()).toMatchObject({ ending: 'left', done: 1 })
  })
})

/** A table whose clock passes while it sleeps, or stands still. */
async function sleepyTable(passes = true) {
  let pass = (_time: number) => {}
  const opened = await bulkTable(undefined, {
    sleep: async (delay, signal) => {
      for (let turn = 0; turn < delay && !signal?.aborted; turn++) await new Promise(setImmediate)
      if (passes && !signal?.aborted) pass(delay)
    },
  })
  pass = opened.pass
  return opened
}

describe('a bulk write whose input is stuck', () => {
  it('ends at its deadline, and reports what was applied', async () => {
    const { table, stored } = await sleepyTable()
    const { input, counts } = stuckInput(rows('p', 3))
    const summary = await table.bulk({ deadline: 500 }).insert(input).summary()
    expect(summary).toMatchObject({
      ending: 'failed',
      cause: { code: 'DeadlineExceeded', message: /table people.*deadline/, mayHaveApplied: true },
      read: 3,
      done: 3,
    })
    expect(Object.keys(await stored())).toHaveLength(3)
    expect(counts.released).toBe(1)
  })

  it('ends at a deadline that has passed already, before it reads', async () => {
    const { table } = await sleepyTable()
    const { input, counts } = stuckInput([])
    const run = table.bulk({ deadline: { endsAt: 1 } }).insert(input)
    const cause = { code: 'DeadlineExceeded', mayHaveApplied: false }
    await expect(Promise.resolve(run)).rejects.toMatchObject({ code: 'BulkIncomplete', cause })
    expect(counts.released).toBe(1)
  })

  it('does not end before its deadline when a wait returns early', async () => {
    const { table } = await sleepyTable(false)
    expect(await table.bulk({ deadline: 500 }).insert(rows('p', 300))).toMatchObject({ done: 300 })
  })

  it.each([
    ['an async iterable', () => stuckInput(rows('p', 2)).input],
    ['an async generator', () => stuckGenerator()],
    ['a stream of the web', () => stuckStream()],
    ['an empty input', () => stuckInput([]).input],
  ])('ends when its account is closed, with %s', async (_, input) => {
    const { account, table } = await bulkTable()
    const run = table.bulk().insert(input())
    const summary = run.summary()
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    await account.close()
    expect(await summary).toMatchObject({
      ending: 'failed',
      cause: { code: 'AccountClosed', failure: 'closed' },
      unknown: 0,
    })
  })

  it('shares its signal with other bulk writes, which Node does not warn of', async () => {
    const { table } = await bulkTable()
    const warnings: unknown[] = []
    const warn = (warning: unknown) => void warnings.push(warning)
    process.on('warning', warn)
    const { signal } = new AbortController()
    const upsert = () => table.bulk({ signal }).insertOrReplace(rows('p', 1)).summary()
    await Promise.all(Array.from({ length: 12 }, upsert))
    await new Promise(setImmediate)
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  it('ends at once when its account is closed already', async () => {
    const { account, table } = await bulkTable()
    await account.close()
    const { input, counts } = stuckInput(rows('p', 2))
    const summary = await table.bulk().insert(input).summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { failure: 'closed' }, done: 0 })
    expect(counts.released).toBe(1)
  })

  it('ends its loop when its account is closed', async () => {
    const { account, table } = await bulkTable()
    const run: BulkRun<DynamicEntity> = table.bulk().insert(stuckInput(rows('p', 2)).input)
    const loop = (async () => {
      for await (const { status } of run) {
        expect(status).toBe('done')
        void account.close()
      }
    })()
    await expect(loop).rejects.toMatchObject({
      code: 'BulkIncomplete',
      cause: { failure: 'closed' },
    })
  })

  it('ends the wait of a close that drains, when another close follows', async () => {
    const { account, table } = await bulkTable()
    const summary = table
      .bulk()
      .insert(stuckInput(rows('p', 2)).input)
      .summary()
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    const drained = account.close({ drain: true })
    await account.close()
    await drained
    expect(await summary).toMatchObject({ ending: 'failed', done: 2 })
  })
})

async function* stuckGenerator(): AsyncGenerator<DynamicEntity> {
  yield row('p', '1', 1)
  await new Promise(() => {})
}

function stuckStream(): ReadableStream<DynamicEntity> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(row('p', '1', 1))
    },
  })
}
