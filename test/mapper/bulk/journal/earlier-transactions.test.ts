import { Operation } from '@rowkey/mapper'
import {
  AmbiguousWriteError,
  type HttpRequest,
  noRetry,
  type Transport,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { bulkTable, row, rows } from '../bulk-account.ts'
import { MemoryJournal } from './memory-journal.ts'

/** The header, and the line that is written before the first transaction is sent. */
const SENT = 2

/** A table whose bulk writes are exact; requests that are lost may arrive late. */
async function exactTable(isLost: () => boolean = () => false) {
  const late: HttpRequest[] = []
  let inner: Transport | undefined
  const opened = await bulkTable(
    (transport) => {
      inner = transport
      return async (request, limits) => {
        if (!isLost()) return transport(request, limits)
        late.push(request)
        throw new TransportError({ message: 'Lost.', mayHaveApplied: request.method !== 'GET' })
      }
    },
    { exactWrites: true, retry: noRetry },
  )
  const deliverLate = () => Promise.all(late.splice(0).map((request) => inner?.(request)))
  return { ...opened, deliverLate, late }
}

describe('R-24: the journal of an exact bulk write, after a crash', () => {
  it('shows that a transaction was applied, whatever other clients did since', async () => {
    const { table, stored } = await exactTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 3))
    await table.delete(['p', '00000'], { etag: '*' })
    await table.merge(row('p', '00001', 99), { etag: '*' })
    const summary = await table.bulk({ journal: journal.after(SENT) }).insert(rows('p', 3))
    expect(summary).toMatchObject({ done: 3, resumed: 3 })
    expect(await stored()).toEqual({ 'p/00001': 99, 'p/00002': 2 })
  })

  it.each([
    ['replace', (etag: string) => Operation.replace(row('p', 'r', 2), { etag })],
    ['merge', (etag: string) => Operation.merge(row('p', 'r', 2), { etag })],
    ['delete', (etag: string) => Operation.delete(row('p', 'r', 2), { etag })],
  ] as const)('shows that a %s by its ETag was applied', async (_, change) => {
    const { table } = await exactTable()
    const journal = new MemoryJournal()
    const first = row('p', 'r', 1)
    await table.insert(first)
    const { etag = '' } = await table.get(['p', 'r'])
    await table.bulk({ journal }).execute([change(etag)])
    const again = table.bulk({ journal: journal.after(SENT) }).execute([change(etag)])
    expect(await again).toMatchObject({ done: 1, resumed: 1, unknown: 0 })
  })

  it('sends a transaction again that was not applied, and keeps its late request from being applied', async () => {
    let isLosing = false
    const { table, stored, deliverLate } = await exactTable(() => isLosing)
    const journal = new MemoryJournal()
    isLosing = true
    const { unknown } = await table.bulk({ journal }).insert(rows('p', 3)).summary()
    expect(unknown).toBe(3)
    isLosing = false
    expect(await table.bulk({ journal }).insert(rows('p', 3))).toMatchObject({ done: 3 })
    await table.bulk().delete(rows('p', 3), { etag: '*' })
    const [response] = await deliverLate()
    expect(response?.body).toContain('EntityAlreadyExists')
    expect(await stored()).toEqual({})
  })

  it('asks once for each transaction, and records what it learned', async () => {
    const { table, writes } = await exactTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal, concurrency: 1 }).insert(rows('p', 150))
    const crashed = journal.after(SENT)
    crashed.text += '\n'
    writes().length = 0
    expect(await table.bulk({ journal: crashed }).insert(rows('p', 99))).toMatchObject({ done: 99 })
    expect(writes()).toEqual([1])
    writes().length = 0
    expect(await table.bulk({ journal: crashed }).insert(rows('p', 99))).toMatchObject({ done: 99 })
    expect(writes()).toEqual([])
  })

  it('has a key for each transaction, also for those that leave out a rejected operation', async () => {
    const { table, stored } = await exactTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', '00001', 7))
    const first = table.bulk({ journal, onConflict: 'skip' }).insert(rows('p', 3))
    expect(await first).toMatchObject({ done: 2, skipped: 1 })
    const keys = journal.text.match(/"key":"[^"]+"/g)
    expect(new Set(keys).size).toBe(2)
    await table.delete(['p', '00000'], { etag: '*' })
    const crashed = journal.after(SENT + 1)
    const second = table.bulk({ journal: crashed, onConflict: 'skip' }).insert(rows('p', 3))
    expect(await second).toMatchObject({ done: 2, skipped: 1, resumed: 2 })
    expect(await stored()).toEqual({ 'p/00001': 7, 'p/00002': 2 })
  })

  it('leaves operations unknown while the marker cannot be read', async () => {
    let isLosing = false
    const { table } = await exactTable(() => isLosing)
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 2))
    isLosing = true
    const run = table.bulk({ journal: journal.after(SENT) }).insert(rows('p', 2))
    const { unknown, failures } = await run.summary()
    expect(unknown).toBe(2)
    isLosing = false
    const error = failures[0]?.error
    expect(error).toBeInstanceOf(AmbiguousWriteError)
    expect(await (error as AmbiguousWriteError).resolve()).toBe('applied')
  })
})
