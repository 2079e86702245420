import { type Account, defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import {
  AmbiguousWriteError,
  type CallOptions,
  DeadlineError,
  EntityNotFoundError,
  type RetryPolicy,
  ServiceError,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  isUnsettled,
  retryConflicts,
  sendOnce,
} from '../../../packages/patterns/src/conflicts/retry-conflicts.ts'
import { office } from '../employees.ts'

async function counting() {
  const opened = office()
  const rows = opened.account.table('rows')
  await rows.create()
  await rows.insert(new DynamicEntity('p', 'r', { count: 0 }))
  const add = async (): Promise<void> => {
    const row = await rows.get(['p', 'r'])
    row.set('count', (row.get('count')?.as('Int32') ?? 0) + 1)
    await rows.merge(row)
  }
  return { ...opened, rows, add }
}

const bound = (account: Account) => ({ service: account.service, table: account.table('rows') })

describe('retryConflicts', () => {
  it('runs again after a conflict, and loses no write', async () => {
    const { account, rows, add } = await counting()
    await Promise.all(
      Array.from({ length: 5 }, () => retryConflicts(account.service, async () => add(), {})),
    )
    expect((await rows.get(['p', 'r'])).get('count')?.value).toBe(5)
  })

  it('gives up after 10 attempts with the last conflict', async () => {
    const { account } = await counting()
    let attempts = 0
    const attempt = async () => {
      attempts++
      await account.table('rows').get(['p', 'missing'])
    }
    await expect(retryConflicts(account.service, attempt, {})).rejects.toThrow(EntityNotFoundError)
    expect(attempts).toBe(10)
  })

  it('ends its wait with the signal of the call', async () => {
    const { account } = await counting()
    const stop = new AbortController()
    const waiting = new Promise<void>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve())
    })
    const seen: unknown[] = []
    const service = {
      ...account.service,
      sleep: async (_: number, signal?: AbortSignal) => {
        seen.push(signal)
        stop.abort('enough')
        await waiting
      },
    }
    const attempt = async (options: CallOptions) => {
      await account.table('rows').get(['p', 'missing'], options)
    }
    const { signal } = stop
    await expect(retryConflicts(service, attempt, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
    })
    expect(seen).toEqual([signal])
  })

  it('does not begin a wait that would pass the deadline', async () => {
    const { account } = await counting()
    const waits: number[] = []
    const service = {
      ...account.service,
      random: () => 1,
      now: () => 0,
      sleep: async (delay: number) => void waits.push(delay),
    }
    const attempt = async () => void (await account.table('rows').get(['p', 'missing']))
    const calling = retryConflicts(service, attempt, { deadline: 200 })
    await expect(calling).rejects.toMatchObject({ name: 'DeadlineError', mayHaveApplied: false })
    expect(waits).toEqual([50, 100])
  })

  it('an error after a write in doubt says that it may have been applied', async () => {
    const { over } = await counting()
    let writes = 0
    const { service, table } = bound(
      over((inner) => async (request, limits) => {
        if (writes > 0) throw new TransportError({ message: 'No way.', mayHaveApplied: false })
        if (request.method !== 'GET') writes++
        await inner(request, limits)
        throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
      }),
    )
    const attempt = async (): Promise<void> => {
      if (writes > 0) await table.get(['p', 'r'])
      await table.merge(new DynamicEntity('p', 'r', { count: 5 }), { etag: '*' })
    }
    const calling = retryConflicts(service, attempt, {}, isUnsettled)
    await expect(calling).rejects.toMatchObject({ message: 'No way.', mayHaveApplied: true })
  })

  it('repeats no attempt after a 409 that is not a conflict of rows', async () => {
    const { account } = await counting()
    let attempts = 0
    const attempt = async () => {
      attempts++
      throw new ServiceError({
        message: 'The table is being deleted.',
        status: 409,
        code: 'TableBeingDeleted',
        requestId: undefined,
        operation: 'insertEntity',
        mayHaveApplied: false,
      })
    }
    const calling = retryConflicts(account.service, attempt, {})
    await expect(calling).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    expect(attempts).toBe(1)
  })

  it('throws any other error at once', async () => {
    const { account } = await counting()
    let attempts = 0
    const attempt = async () => {
      attempts++
      throw new RangeError('broken')
    }
    await expect(retryConflicts(account.service, attempt, {})).rejects.toThrow(RangeError)
    expect(attempts).toBe(1)
  })
})

describe('sendOnce', () => {
  const busy = new TransportError({ message: 'No connection.', mayHaveApplied: false })
  const lost = new TransportError({ message: 'Lost.', mayHaveApplied: true })

  it('retries by the policy of one call, and not when the write may have been applied', async () => {
    const { over } = await counting()
    const failures = [busy, busy, lost]
    const account = over((service) => async (request, limits) => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return service(request, limits)
    })
    const asked: unknown[] = []
    const retry: RetryPolicy = {
      delayAfter: () => undefined,
      forCall: (operation) => {
        asked.push(operation)
        return { delayAfter: ({ number }) => (asked.push(number) > 0 ? 0 : undefined) }
      },
    }
    const insert = (options: CallOptions) =>
      account.table('rows').insert(new DynamicEntity('p', 'new'), options)
    await expect(sendOnce(account.service, insert, { retry })).rejects.toThrow(AmbiguousWriteError)
    expect(asked).toEqual(['insertEntity', 1, 2])
    expect(failures).toEqual([])
  })

  it('retries an exact write, which is stored once', async () => {
    const { over, rows } = await counting()
    let isLost = false
    const account = over((service) => async (request, limits) => {
      if (isLost) return service(request, limits)
      isLost = true
      throw lost
    })
    const insert = (options: CallOptions) =>
      account.table('rows').insert(new DynamicEntity('p', 'new'), options)
    const exact = { retry: { delayAfter: () => 0 }, exactWrites: true }
    await sendOnce(account.service, insert, exact)
    expect(await rows.find(['p', 'new'])).toBeDefined()
    expect(isLost).toBe(true)
  })
})

describe('a call of a pattern with a deadline', () => {
  const defineStaff = () =>
    defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ department: z.string(), id: z.int() }),
    })

  it('does not wait beyond it for a write that may still arrive', async () => {
    const opened = office()
    const rows = opened.account.table(defineStaff())
    await rows.create()
    await rows.insert({ department: 'Sales', id: 1 })
    const losing = opened.over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (!String(request.body).includes('~rk~su~')) return response
      throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
    })
    const summaries = declareSummaries(defineStaff(), { staff: { rowKey: key`all` } })
    const before = opened.now
    const repairing = summaries.on(losing).repair({ deadline: 1_000 })
    await expect(repairing).rejects.toThrow()
    expect(opened.now - before).toBe(1_000)
  })

  it('does not wait beyond it for leases of other programs', async () => {
    const opened = office()
    const definitions = { id: { rowKey: key`${'id:6'}` } }
    const rows = opened.account.table(defineStaff())
    await rows.create()
    await rows.insert({ department: 'Sales', id: 1 })
    const before = opened.now
    const indexed = declareIndexes(defineStaff(), definitions).on(opened.account)
    await expect(indexed.build({ deadline: 1_000 })).rejects.toThrow(DeadlineError)
    expect(opened.now - before).toBe(1_000)
  })
})
