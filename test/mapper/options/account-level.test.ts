import { requestsInOrder } from '@rowkey/mapper'
import { type CallOptions, findEntity, noRetry, perform, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { levelOf, observedCall } from '../../../packages/mapper/src/options/account-level.ts'

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
  const find = (options: CallOptions) =>
    perform(service, findEntity, { table: 'people', key }, options)
  return { service, find }
}

describe('observedCall', () => {
  it('tells of each attempt that the service throttled, and of no other', async () => {
    const { service, find } = accountWith(503, 429, 500)
    let throttled = 0
    await find(observedCall(service, {}, () => throttled++))
    expect(throttled).toBe(2)
  })

  it("leaves the decision to the caller's policy", async () => {
    const { service, find } = accountWith(503, 503)
    let throttled = 0
    const options = observedCall(service, { retry: noRetry }, () => throttled++)
    await expect(find(options)).rejects.toMatchObject({ status: 503, attempts: 1 })
    expect(throttled).toBe(1)
  })

  it('keeps the other options', () => {
    const { service } = accountWith()
    expect(observedCall(service, { timeout: 5 }, () => {})).toMatchObject({ timeout: 5 })
  })
})

describe('requestsInOrder', () => {
  it('halves the level of the account when several partitions are throttled', async () => {
    const { service, find } = accountWith(503, 503, 503)
    const keys = ['a', 'b', 'c', 'd']
    const requests = requestsInOrder(service, keys, (_, options) => find(options), {
      options: {},
      partitionOf: (key) => key,
    })
    for await (const found of requests) expect(found).toBeUndefined()
    expect(levelOf(service).current).toBe(2)
    expect(levelOf(accountWith().service).current).toBe(8)
  })

  it('leaves the level of the account as it is with a number of the caller’s', async () => {
    const { service, find } = accountWith(503, 503)
    const how = { options: {}, concurrency: 2 }
    for await (const _ of requestsInOrder(service, [1, 2], (_, options) => find(options), how));
    expect(levelOf(service).current).toBe(8)
  })

  it('cancels the other requests when one fails', async () => {
    const { service } = accountWith()
    const signals: (AbortSignal | undefined)[] = []
    const request = async (item: number, { signal }: CallOptions) => {
      signals.push(signal)
      if (item === 2) throw new RangeError('no 2')
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    }
    const requests = requestsInOrder(service, [2, 3], request, { options: {} })
    await expect(requests.next()).rejects.toThrow('no 2')
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  })
})
