import { requestsInOrder } from '@rowkey/mapper'
import { type Call, callOf, findEntity, noRetry, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { levelOf, overloadSeen } from '../../../packages/mapper/src/options/account-level.ts'

const CODES: Record<number, string> = {
  404: 'ResourceNotFound',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServerBusy',
}

/** An account whose service responds with these statuses, and then 404; no wait takes time. */
function accountWith(...statuses: number[]) {
  const waiting = [...statuses]
  const service = tableService({
    endpoint: 'https://account.table.core.windows.net',
    credential: { authorize: (request) => request },
    sleep: async () => {},
    async transport() {
      const status = waiting.shift() ?? 404
      const code = CODES[status]!
      const body = JSON.stringify({ 'odata.error': { code, message: { value: code } } })
      return { status, headers: {}, body, location: 'primary' as const }
    },
  })
  const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
  const find = (call: Call) => call.perform(findEntity, { table: 'people', key })
  return { service, find, call: callOf(service, {}, 'a test') }
}

describe('overloadSeen', () => {
  it('shows each attempt that the service had too much to do for, and no other', async () => {
    const { call, find } = accountWith(503, 429, 500)
    let overloads = 0
    await find(overloadSeen(call, () => overloads++))
    expect(overloads).toBe(2)
  })

  it("leaves the decision to the caller's policy", async () => {
    const { call, find } = accountWith(503, 503)
    let overloads = 0
    const seen = overloadSeen(call.with({ retry: noRetry }), () => overloads++)
    await expect(find(seen)).rejects.toMatchObject({ status: 503, attempts: 1 })
    expect(overloads).toBe(1)
  })
})

describe('requestsInOrder', () => {
  it('halves the level of the account when several partitions are throttled', async () => {
    const { service, call, find } = accountWith(503, 503, 503)
    const keys = ['a', 'b', 'c', 'd']
    const requests = requestsInOrder(call, keys, (_, each) => find(each), {
      partitionOf: (key) => key,
    })
    for await (const found of requests) expect(found).toBeUndefined()
    expect(levelOf(service).current).toBe(2)
    expect(levelOf(accountWith().service).current).toBe(8)
  })

  it('leaves the level of the account as it is with a number of the caller’s', async () => {
    const { service, call, find } = accountWith(503, 503)
    const how = { concurrency: 2 }
    for await (const _ of requestsInOrder(call, [1, 2], (_, each) => find(each), how));
    expect(levelOf(service).current).toBe(8)
  })

  it('cancels the other requests when one fails', async () => {
    const { call } = accountWith()
    const signals: (AbortSignal | undefined)[] = []
    const request = async (item: number, { signal }: Call) => {
      signals.push(signal)
      if (item === 2) throw new RangeError('no 2')
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    }
    const requests = requestsInOrder(call, [2, 3], request)
    await expect(requests.next()).rejects.toThrow('no 2')
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  })
})
