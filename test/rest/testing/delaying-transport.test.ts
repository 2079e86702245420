import type { CloseOptions } from '@rowkey/rest'
import { type DelayingTransportOptions, delayingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { read, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'

/** A clock that only waiting moves, and that writes down how long each wait was. */
function clock(onWait?: () => void) {
  let time = 1000
  const waits: number[] = []
  const sleep = async (delay: number) => {
    waits.push(delay)
    time += delay
    onWait?.()
  }
  return { waits, now: () => time, sleep }
}

const ok = { status: 204 }

describe('delayingTransport', () => {
  it('waits before the request and before the response', async () => {
    const { waits, now, sleep } = clock()
    const transport = delayingTransport(scriptedTransport(ok), { before: 5, after: 7, now, sleep })
    expect(await transport(read)).toMatchObject(ok)
    expect(waits).toEqual([5, 7])
  })

  it('does not wait by default', async () => {
    const { waits, now, sleep } = clock()
    await delayingTransport(scriptedTransport(ok), { now, sleep })(read)
    expect(waits).toEqual([])
  })

  it('passes on the remaining timeout', async () => {
    const { now, sleep } = clock()
    const timeouts: unknown[] = []
    const inner = scriptedTransport(async ({ timeout }) => {
      timeouts.push(timeout)
      return { status: 204, headers: {}, body: '' }
    })
    await delayingTransport(inner, { before: 5, now, sleep })(read, { timeout: 30 })
    await delayingTransport(inner, { before: 5, now, sleep })(read)
    expect(timeouts).toEqual([25, undefined])
  })

  it.each([
    ['before', 0, false],
    ['after', 1, true],
  ] as const)('ends with the timeout when the wait %s is longer', async (when, sent, may) => {
    const { waits, now, sleep } = clock()
    const inner = scriptedTransport(ok)
    const transport = delayingTransport(inner, { [when]: 50, now, sleep })
    await expect(transport(write, { timeout: 30 })).rejects.toMatchObject({
      code: 'AttemptTimeout',
      mayHaveApplied: may,
      message: expect.stringContaining('30 ms'),
    })
    expect(waits).toEqual([30])
    expect(inner.requests).toHaveLength(sent)
  })

  it.each([
    ['before', 0, false],
    ['after', 1, true],
  ] as const)('ends when the signal aborts in the wait %s', async (when, sent, may) => {
    const controller = new AbortController()
    const { now, sleep } = clock(() => controller.abort('enough'))
    const inner = scriptedTransport(ok)
    const transport = delayingTransport(inner, { [when]: 50, now, sleep })
    await expect(transport(write, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied: may,
    })
    expect(inner.requests).toHaveLength(sent)
  })

  it('closes the inner transport with the same options', async () => {
    const closed: unknown[] = []
    const close = async (options?: CloseOptions) => void closed.push(options)
    const inner = Object.assign(scriptedTransport({}), { close })
    await delayingTransport(inner, {}).close?.({ drain: true })
    expect(closed).toEqual([{ drain: true }])
  })

  it.each([
    [{ before: -1 }, 'before'],
    [{ after: Number.NaN }, 'after'],
    [{ after: '5' }, 'after'],
    [{ delay: 5 }, 'delay'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() =>
      delayingTransport(scriptedTransport(ok), options as DelayingTransportOptions),
    ).toThrow(name)
  })
})
