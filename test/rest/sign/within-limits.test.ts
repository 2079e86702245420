import { getEventListeners } from 'node:events'
import { AbortError } from '@rowkey/rest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withinLimits } from '../../../packages/rest/src/sign/within-limits.ts'

const never = new Promise<never>(() => {})
const LONG = 2 ** 30

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('withinLimits', () => {
  it('returns the result of the work', async () => {
    expect(await withinLimits(Promise.resolve(1), {})).toBe(1)
    const { signal } = new AbortController()
    expect(await withinLimits(Promise.resolve(2), { signal, timeout: LONG })).toBe(2)
    const boom = new TypeError('boom')
    await expect(withinLimits(Promise.reject(boom), { signal })).rejects.toBe(boom)
  })

  it('stops waiting when the signal aborts', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const waiting = withinLimits(never, { signal, timeout: 2_000_000 })
    controller.abort('enough')
    await expect(waiting).rejects.toMatchObject({ cause: 'enough', mayHaveApplied: false })
    await expect(withinLimits(never, { signal })).rejects.toThrow(AbortError)
  })

  it('stops waiting after the timeout', async () => {
    const waiting = expect(withinLimits(never, { timeout: 1_000 })).rejects.toMatchObject({
      ...{ code: 'AttemptTimeout', mayHaveApplied: false },
      message: expect.stringContaining('within 1000 ms'),
    })
    vi.advanceTimersByTime(1_000)
    await waiting
  })

  it('waits as long as it takes without a timeout', () => {
    void withinLimits(never, {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops waiting when the account is closed, and at once when it was closed before', async () => {
    const controller = new AbortController()
    const waiting = withinLimits(never, { closing: controller.signal })
    controller.abort()
    for (const stopped of [waiting, withinLimits(never, { closing: controller.signal })]) {
      await expect(stopped).rejects.toMatchObject({ code: 'AccountClosed', mayHaveApplied: false })
    }
  })

  it('leaves no listener and no timer behind, however it ends', async () => {
    const { signal } = new AbortController()
    const closing = new AbortController().signal
    const limits = { signal, closing, timeout: LONG }
    const left = () => [
      ...[signal, closing].flatMap((each) => getEventListeners(each, 'abort')),
      ...Array(vi.getTimerCount()).fill('timer'),
    ]
    await withinLimits(Promise.resolve(1), limits)
    expect(left()).toEqual([])
    await expect(withinLimits(Promise.reject(1), limits)).rejects.toBe(1)
    expect(left()).toEqual([])
    const late = expect(withinLimits(never, limits)).rejects.toThrow('within')
    vi.advanceTimersByTime(LONG)
    await late
    expect(left()).toEqual([])
  })

  it('calls onLimit only when a limit ends the wait', async () => {
    const onLimit = vi.fn()
    await withinLimits(Promise.resolve(1), { timeout: LONG }, onLimit)
    await expect(withinLimits(Promise.reject(1), {}, onLimit)).rejects.toBe(1)
    expect(onLimit).not.toHaveBeenCalled()
    const signal = AbortSignal.abort()
    await expect(withinLimits(never, { signal, timeout: LONG }, onLimit)).rejects.toThrow()
    const late = expect(withinLimits(never, { timeout: LONG }, onLimit)).rejects.toThrow()
    vi.advanceTimersByTime(LONG)
    await late
    expect(onLimit).toHaveBeenCalledTimes(2)
  })
})
