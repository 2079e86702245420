import { localTableService } from '@rowkey/local'
import { Account, defineEntity, keepRows, key, lifetime, lifetimeOf } from '@rowkey/mapper'
import { noRetry, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const defineSession = () =>
  defineEntity({
    name: 'sessions',
    partitionKey: key`${'tenant'}`,
    rowKey: key`${'id'}`,
    schema: z.object({
      tenant: z.string(),
      id: z.string(),
      until: z.date(),
      deleted: z.date().optional(),
    }),
    lifetime: lifetime({ expiresAt: 'until', deletedAt: 'deleted' }),
  })

/** The sessions of the tenants a and b, on a service whose clock the test moves. */
async function opened(Session = defineSession()) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const now = () => clock.now
  const { transport, connectionString } = localTableService({ now })
  const seen: string[] = []
  const service = tableService({
    connectionString: connectionString(),
    transport: async (request, limits) => {
      seen.push(request.method)
      return transport(request, limits)
    },
    retry: noRetry,
    exactWrites: true,
    now,
  })
  const account = new Account(service)
  const whole = account.table(Session)
  await whole.create()
  const until = new Date(clock.now + 3_600_000)
  for (const tenant of ['a', 'b']) {
    await whole.insert({ tenant, id: '1', until })
    await whole.insert({ tenant, id: '2', until: new Date(clock.now - 1) })
    const third = await whole.insert({ tenant, id: '3', until })
    await whole.delete(third)
  }
  return { clock, account, whole, seen, sessions: whole.within({ tenant: 'a' }) }
}

describe('deleteAll of a restricted table', () => {
  it('deletes the old markers of exact writes in its partitions, and leaves no new ones', async () => {
    const { clock, whole, sessions } = await opened()
    clock.now += 10 * 60_000
    expect((await sessions.deleteAll()).done).toBe(3)
    clock.now += 10 * 60_000
    expect(await sessions.sweepMarkers({ olderThan: 600_000 })).toBe(0)
    expect(await whole.sweepMarkers({ olderThan: 600_000 })).toBe(4)
  })

  it('leaves younger markers, which late attempts must meet, to another call', async () => {
    const { clock, sessions } = await opened()
    await sessions.deleteAll()
    clock.now += 10 * 60_000
    expect(await sessions.deleteAll()).toMatchObject({ done: 0, failed: 0 })
    expect(await sessions.sweepMarkers({ olderThan: 600_000 })).toBe(0)
  })

  it('lets keepers with rows elsewhere learn of each entity first, hidden ones too', async () => {
    const Session = defineSession()
    const learned: string[] = []
    keepRows(Session, {
      touches: () => true,
      plan: async (transitions) => {
        for (const { key: row, after } of transitions) if (!after) learned.push(row.rowKey)
        return { companions: [], rejected: async (_, error) => error }
      },
      follow: async ({ beginning, isOne }) => void learned.push(`follow ${beginning} ${isOne}`),
    })
    const { sessions, whole } = await opened(Session)
    learned.length = 0
    expect((await sessions.deleteAll()).done).toBe(3)
    expect(learned).toEqual(['1', '2', '3', 'follow a true'])
    expect(await lifetimeOf(whole).all.query().allowTableScan().count()).toBe(3)
  })

  it('ends when something cannot follow, with the outcomes so far', async () => {
    const Session = defineSession()
    let isBroken = true
    keepRows(Session, {
      touches: () => true,
      plan: async () => ({ companions: [], rejected: async (_, error) => error }),
      follow: async () => {
        if (isBroken) throw new Error('no store')
      },
    })
    const { sessions } = await opened(Session)
    const ended: string[] = []
    const loop = async () => {
      for await (const { status } of sessions.deleteAll()) ended.push(status)
    }
    await expect(loop()).rejects.toMatchObject({
      code: 'BulkIncomplete',
      cause: { message: 'no store' },
    })
    expect(ended).toEqual(['done', 'done', 'done'])
    isBroken = false
    expect((await sessions.deleteAll()).done).toBe(0)
  })

  it('deletes nothing else when its loop is left, or its signal aborts meanwhile', async () => {
    const Session = defineSession()
    const controller = new AbortController()
    let followed = 0
    keepRows(Session, {
      touches: () => true,
      plan: async () => ({ companions: [], rejected: async (_, error) => error }),
      follow: async () => {
        followed++
        controller.abort('enough')
      },
    })
    const left = await opened(Session)
    for await (const { status } of left.sessions.deleteAll()) {
      expect(status).toBe('done')
      break
    }
    expect(followed).toBe(0)
    const { sessions, seen } = await opened(Session)
    seen.length = 0
    const summary = await sessions.deleteAll({ signal: controller.signal }).summary()
    expect(summary).toMatchObject({ ending: 'aborted', cause: 'enough', done: 3 })
    expect(seen.filter((method) => method !== 'GET')).toEqual(['POST'])
    expect(seen.at(-1)).toBe('POST')
  })
})
