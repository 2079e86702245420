import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  Entity,
  ETag,
  encrypted,
  encryptionKeys,
  key,
  PartitionKey,
  RowKey,
  signingKeys,
  Timestamp,
} from '@rowkey/mapper'
import {
  AbortError,
  AmbiguousWriteError,
  DeadlineError,
  type HttpRequest,
  noRetry,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

@Entity('counters')
class Counter {
  @PartitionKey() group = ''
  @RowKey() id = ''
  count = 0
  names = ''
  @ETag() etag?: string
  @Timestamp() modified?: Date
}

/** A table with one counter, whose requests wait for a gate while it is closed. */
async function world(options: { now?: () => number; sleep?: () => Promise<void> } = {}) {
  const { transport, connectionString } = localTableService(options.now && { now: options.now })
  const sent: HttpRequest[] = []
  const gate = { open: Promise.resolve() as Promise<void>, before: async (_: HttpRequest) => {} }
  const gated: Transport = async (request, limits) => {
    sent.push(request)
    await gate.open
    await gate.before(request)
    return transport(request, limits)
  }
  const service = tableService({
    connectionString: connectionString(),
    transport: gated,
    retry: noRetry,
    ...options,
  })
  const account = new Account(service)
  const table = account.table(Counter)
  await table.create()
  await table.insert(Object.assign(new Counter(), { group: 'g', id: '1' }))
  sent.length = 0
  return { account, table, sent, gate, service }
}

const target = ['g', '1'] as const
const plusOne = (counter: Counter): void => {
  counter.count++
}

describe('calls of modify for one row', () => {
  it('are made by four requests when there are 100 of them at once, and each counts', async () => {
    const { table, sent } = await world()
    const all = await Promise.all(Array.from({ length: 100 }, () => table.modify(target, plusOne)))
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH'])
    expect((await table.get(target)).count).toBe(100)
    expect(all[0]?.count).toBe(1)
    for (const each of all.slice(1)) expect(each.count).toBe(100)
    expect(new Set(all).size).toBe(100)
  })

  it('take async functions that wait for nothing together, too', async () => {
    const { table, sent } = await world()
    await Promise.all(
      Array.from({ length: 20 }, () => table.modify(target, async (c) => plusOne(c))),
    )
    expect(sent).toHaveLength(4)
    expect((await table.get(target)).count).toBe(20)
  })

  it('give each caller an entity of its own, which can be written by its ETag', async () => {
    const { table } = await world()
    const [, one, other] = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        table.modify(target, (counter) => {
          counter.names += name
        }),
      ),
    )
    expect([one?.names, other?.names]).toEqual(['abc', 'abc'])
    expect(one?.etag).toBe(other?.etag)
    const stored = await table.get(target)
    expect(one).toEqual(stored)
    if (one !== undefined) one.count = 7
    expect(other?.count).toBe(0)
    await table.merge(one as Counter)
    expect((await table.get(target)).count).toBe(7)
  })

  it('give the error of a function to its caller alone, without a trace of it', async () => {
    const { table } = await world()
    const results = await Promise.allSettled([
      table.modify(target, plusOne),
      table.modify(target, plusOne),
      table.modify(target, (counter) => {
        counter.count = 1000
        throw new Error('mine')
      }),
      table.modify(target, (counter) => {
        counter.count = 0.5 as never
        counter.names = Symbol('no Edm value') as never
      }),
      table.modify(target, plusOne),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(Object(results[2]).reason.message).toBe('mine')
    expect(Object(results[3]).reason.code).toBe('InvalidPropertyValue')
    expect((await table.get(target)).count).toBe(3)
  })

  it('begin again together when another program changed the row in between', async () => {
    const { table, sent, gate, account } = await world({ sleep: async () => {} })
    const rival = account.table(Counter)
    let conflicts = 0
    gate.before = async ({ method }) => {
      if (method !== 'PATCH' || conflicts > 0 || sent.length < 4) return
      conflicts++
      await rival.merge(Object.assign(new Counter(), { group: 'g', id: '1', names: 'rival' }), {
        etag: '*',
      })
    }
    await Promise.all(Array.from({ length: 10 }, () => table.modify(target, plusOne)))
    expect(conflicts).toBe(1)
    expect(await table.get(target)).toMatchObject({ names: 'rival' })
  })

  it('do not wait for a function that waits for another call of the row', async () => {
    const { table } = await world()
    const inner = () => table.modify(target, plusOne)
    const outer = async (counter: Counter): Promise<void> => {
      if (counter.count < 1) await inner()
      counter.count += 10
    }
    const modified = await table.modify(target, outer)
    expect(modified.count).toBe(11)
    let last: Promise<unknown> | undefined
    const first = table.modify(target, async (counter) => {
      if (counter.count < 12) await last
      counter.count += 100
    })
    last = table.modify(target, plusOne)
    await Promise.all([first, last])
    expect((await table.get(target)).count).toBe(112)
  })

  it('end their wait by their own signal, and say that nothing was changed', async () => {
    const { table, gate } = await world()
    let open = (): void => {}
    gate.open = new Promise((resolve) => {
      open = resolve
    })
    const first = table.modify(target, plusOne)
    const aborted = new AbortController()
    const second = table.modify(target, plusOne, { signal: aborted.signal })
    const third = table.modify(target, plusOne)
    aborted.abort(new Error('enough'))
    await expect(second).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    await expect(second).rejects.toBeInstanceOf(AbortError)
    open()
    expect((await first).count).toBe(1)
    expect((await third).count).toBe(2)
  })

  it('end their wait by their deadline', async () => {
    let time = Date.parse('2026-11-28T00:00:00Z')
    const { table, gate } = await world({
      now: () => time,
      sleep: async () => {
        time += 5000
      },
    })
    let open = (): void => {}
    gate.open = new Promise((resolve) => {
      open = resolve
    })
    const first = table.modify(target, plusOne)
    const late = table.modify(target, plusOne, { deadline: 1000 })
    await expect(late).rejects.toBeInstanceOf(DeadlineError)
    await expect(late).rejects.toMatchObject({ mayHaveApplied: false, attempts: 0 })
    open()
    expect((await first).count).toBe(1)
  })

  it('ends at its own signal while the group writes, and says that its change may be stored', async () => {
    const { table, gate } = await world()
    let open = (): void => {}
    gate.open = new Promise((resolve) => {
      open = resolve
    })
    const writes: string[] = []
    const aborted = new AbortController()
    gate.before = async ({ method }) => {
      if (method === 'PATCH' && writes.push(method) === 2) aborted.abort(new Error('enough'))
    }
    const first = table.modify(target, plusOne)
    const second = table.modify(target, plusOne, { signal: aborted.signal })
    const third = table.modify(target, plusOne)
    open()
    await expect(second).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: true })
    expect((await first).count).toBe(1)
    expect((await third).count).toBe(3)
    expect((await table.get(target)).count).toBe(3)
  })

  it('that waits for something does not get the error of the others', async () => {
    const { table, gate } = await world()
    let open = (): void => {}
    gate.open = new Promise((resolve) => {
      open = resolve
    })
    const first = table.modify(target, plusOne)
    let go = (): void => {}
    const waits = new Promise<void>((resolve) => {
      go = resolve
    })
    const second = table.modify(target, async (counter) => {
      await waits
      counter.count += 10
    })
    const third = table.modify(target, plusOne)
    let writes = 0
    gate.before = async ({ method }) => {
      if (method === 'PATCH' && ++writes === 2) throw new Error('refused')
    }
    open()
    await expect(third).rejects.toBeInstanceOf(AmbiguousWriteError)
    go()
    expect((await first).count).toBe(1)
    expect((await second).count).toBe(11)
  })

  it('with options of their own are made one after another, with these options', async () => {
    const { table, sent } = await world()
    await Promise.all([
      table.modify(target, plusOne),
      table.modify(target, plusOne, { idempotencyKey: 'a', exactWrites: true }),
      table.modify(target, plusOne, { attempts: 3 }),
      table.modify(['g', '2'], plusOne, {
        orInsert: Object.assign(new Counter(), { group: 'g', id: '2' }),
      }),
    ])
    expect((await table.get(target)).count).toBe(3)
    expect((await table.get(['g', '2'])).count).toBe(0)
    expect(sent.filter(({ method }) => method === 'GET').length).toBeGreaterThanOrEqual(4)
  })

  it('of signed and encrypted models are made together, and read what was written', async () => {
    const { account } = await world()
    const ring = { current: 'k', keys: { k: new Uint8Array(32).fill(1) } }
    const Secret = defineEntity({
      name: 'counters',
      partitionKey: key`${'group'}`,
      rowKey: key`s_${'id'}`,
      schema: z.object({
        group: z.string(),
        id: z.string(),
        text: z.string(),
        count: z.number().int(),
      }),
      columns: { text: encrypted(encryptionKeys(ring)) },
      signing: signingKeys(ring),
    })
    const table = account.table(Secret)
    await table.insert({ group: 'g', id: '1', text: '', count: 0 })
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        table.modify({ group: 'g', id: '1' }, (entity) => {
          entity.text += letter
          entity.count++
        }),
      ),
    )
    expect(all.map(({ text }) => text)).toEqual(['a', 'abcd', 'abcd', 'abcd'])
    expect(await table.get({ group: 'g', id: '1' })).toMatchObject({ text: 'abcd', count: 4 })
  })
})
