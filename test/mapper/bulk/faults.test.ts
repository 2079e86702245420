import { type BulkOutcome, Operation, type WriteOperation } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { noRetry, type TableServiceSettings } from '@rowkey/rest'
import { failingTransport, type TransportFailure } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { type BulkTable, bulkTable, row } from './bulk-account.ts'

/** A small generator of numbers from 0 to 1, the same for each seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const BUSY: TransportFailure = {
  status: 503,
  headers: { 'content-type': 'application/json', 'x-ms-error-code': 'ServerBusy' },
  body: '{"odata.error":{"code":"ServerBusy","message":{"lang":"en-US","value":"busy"}}}',
}

/** A table whose writes fail in every way, about one in three. */
async function faultyTable(
  random: () => number,
  fired: Map<unknown, number>,
  settings: TableServiceSettings = {},
): Promise<BulkTable> {
  const faults = ['lost response', 'lost request', 'no connection', BUSY] as const
  let isOn = false
  const opened = await bulkTable(
    (transport) =>
      failingTransport(transport, ({ method }) => {
        if (!isOn || method === 'GET' || random() > 0.35) return undefined
        const fault = faults[Math.floor(random() * faults.length)]
        fired.set(fault, (fired.get(fault) ?? 0) + 1)
        return fault
      }),
    { retry: noRetry, ...settings },
  )
  isOn = true
  return opened
}

/** Inserts with a value of their own each, so that a stored value names the operation that stored it. */
function randomInserts(random: () => number, count: number) {
  return Array.from({ length: count }, (_, n) =>
    row(`p${Math.floor(random() * 6)}`, `r${Math.floor(random() * 300)}`, n),
  )
}

/** Breaches of the contract: what an outcome says, against what is stored. */
function breaches(outcomes: readonly BulkOutcome[], stored: Record<string, unknown>): string[] {
  const possible = new Set(Object.values(stored))
  return outcomes.flatMap(({ status, index, key }) => {
    const isStored = possible.has(index)
    const place = `${index} ${status} at ${key?.partitionKey}/${key?.rowKey}`
    if (status === 'done' && !isStored) return [`${place}: not stored`]
    if (status === 'failed' && isStored) return [`${place}: stored`]
    return []
  })
}

describe('the check of outcomes', () => {
  it('finds a false success and a false failure', () => {
    const subject = { index: 1, item: undefined, kind: 'insert', key: undefined } as const
    const done = { ...subject, status: 'done', etag: undefined, modified: false } as const
    expect(breaches([done], {})).toHaveLength(1)
    const failed = { ...subject, status: 'failed', error: undefined } as const
    expect(breaches([failed], { 'p/r': 1 })).toHaveLength(1)
    expect(breaches([done], { 'p/r': 1 })).toEqual([])
  })
})

const RUNS = randomSteps(60)

describe('a bulk write under faults', () => {
  it(`R-24: reports nothing as done that is not stored, nor as failed that is, in ${RUNS} seeded runs`, async () => {
    const fired = new Map<unknown, number>()
    const totals = { done: 0, failed: 0, unknown: 0 }
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seeded(seed)
      const { table, stored } = await faultyTable(random, fired)
      const outcomes: BulkOutcome[] = []
      const run = table.bulk({ concurrency: 4, attempts: 2 }).insert(randomInserts(random, 300))
      for await (const outcome of run) outcomes.push(outcome)
      expect(outcomes).toHaveLength(300)
      expect(breaches(outcomes, await stored()), `seed ${seed}`).toEqual([])
      const { done, failed, unknown } = await run.summary()
      totals.done += done
      totals.failed += failed
      totals.unknown += unknown
    }
    expect(Math.min(...fired.values())).toBeGreaterThan((5 * RUNS) / 3)
    expect(Math.min(totals.done, totals.failed, totals.unknown)).toBeGreaterThan((25 * RUNS) / 3)
  })

  it('ends with the last operation on each row, when rows are upserted again and again', async () => {
    for (let seed = 1; seed <= randomSteps(10); seed++) {
      const random = seeded(seed)
      const { table, stored } = await bulkTable()
      const upserts = randomInserts(random, 600)
      const last = Object.fromEntries(
        upserts.map((each, n) => [`${each.partitionKey}/${each.rowKey}`, n]),
      )
      await table.bulk().execute(upserts.map((each) => Operation.insertOrReplace(each)))
      expect(await stored(), `seed ${seed}`).toEqual(last)
    }
  })

  it('R-24: resumes after crashes at random moments, until every row is stored once', async () => {
    for (let seed = 1; seed <= randomSteps(8); seed++) {
      const random = seeded(seed)
      const { table, stored } = await faultyTable(random, new Map())
      await resumeUntilDone(table, random, () => inserts.map((each) => Operation.insert(each)))
      expect(await stored(), `seed ${seed}`).toEqual(contentOf(inserts))
    }
  })

  it('R-24: resumes exact writes by ETag after crashes, and knows of each that it was applied once', async () => {
    for (let seed = 1; seed <= randomSteps(8); seed++) {
      const random = seeded(seed)
      const settings = { exactWrites: true }
      const { table, stored } = await faultyTable(random, new Map(), settings)
      await table.bulk({ attempts: 50 }).insert(inserts).summary()
      const stale = await table.query().allowTableScan().toArray()
      const changes = stale.map(({ partitionKey, rowKey }, n) =>
        row(partitionKey, rowKey, 1_000 + n),
      )
      const merges = () =>
        changes.map((each, n) => Operation.merge(each, { etag: stale[n]?.etag ?? '' }))
      await resumeUntilDone(table, random, merges)
      expect(await stored(), `seed ${seed}`).toMatchObject(contentOf(changes))
    }
  })
})

const inserts = Array.from({ length: 300 }, (_, n) => row(`p${n % 5}`, `r${n}`, n))

const placeOf = ({ partitionKey, rowKey }: DynamicEntity) => `${partitionKey}/${rowKey}`

function contentOf(rows: readonly DynamicEntity[]): Record<string, unknown> {
  return Object.fromEntries(rows.map((each) => [placeOf(each), each.get('n')?.value]))
}

/** Runs one bulk write with a journal, which crashes at random moments, until nothing is left to do. */
async function resumeUntilDone(
  table: BulkTable['table'],
  random: () => number,
  input: () => readonly WriteOperation<'insert' | 'merge', DynamicEntity>[],
): Promise<void> {
  const text: string[] = []
  for (let runs = 1; ; runs++) {
    expect(runs).toBeLessThan(200)
    const crash = new AbortController()
    const stopAt = text.length + 1 + Math.floor(random() * 80)
    const journal = {
      read: () => text.join(''),
      append: async (lines: string) => {
        if (text.length >= stopAt) crash.abort()
        if (crash.signal.aborted) throw new TypeError('crashed')
        text.push(lines)
      },
    }
    const bulk = table.bulk({ journal, concurrency: 2, attempts: 50, signal: crash.signal })
    const { ending, failed, unknown } = await bulk.execute(input()).summary()
    if (ending === 'complete' && failed + unknown === 0) return
  }
}
