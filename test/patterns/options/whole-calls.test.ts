import { AbortError, OperationContext } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { calls, counting } from '../whole-calls.ts'

const all = Object.entries(calls)

describe('a call of several requests', () => {
  it.each(all)('records all of them in one context: %s', async (_, begin) => {
    const place = counting()
    const call = await begin(place)
    const context = new OperationContext()
    const [requests, error] = await place.endOf(() => call({ context }))
    expect([requests > 0, error]).toEqual([true, undefined])
    expect(context.attempts).toHaveLength(requests)
  })

  it.each(all.filter(([name]) => !name.startsWith('deliver')))(
    'ends at its deadline: %s',
    async (_, begin) => {
      const place = counting()
      const call = await begin(place)
      place.network.takes = 600
      const [requests, error] = await place.endOf(() => call({ deadline: 1_000 }))
      // The first two begin before.
      if (requests > 2) expect(error).toMatchObject({ code: 'DeadlineExceeded' })
    },
  )

  it.each(all)('ends with its signal: %s', async (_, begin) => {
    const place = counting()
    const call = await begin(place)
    const stop = new AbortController()
    place.network.onResponse = () => stop.abort()
    const [requests, error] = await place.endOf(() => call({ signal: stop.signal }))
    if (requests > 1 || error !== undefined) expect(error).toBeInstanceOf(AbortError)
  })

  it.each(all)('completes although the account closes with drain: %s', async (_, begin) => {
    const place = counting()
    const call = await begin(place)
    let closed: Promise<void> | undefined
    place.network.onResponse = () => {
      closed ??= place.account.close({ drain: true })
    }
    await call({})
    await closed
  })
})
