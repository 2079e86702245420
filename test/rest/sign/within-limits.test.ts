import { getEventListeners } from 'node:events'
import { AbortError } from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { withinLimits } from '../../../packages/rest/src/sign/within-limits.ts'

const never = new Promise<never>(() => {})
const LONG = 2 ** 30

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
    const waiting = withinLimits(never, { timeout: 1 })
    await expect(waiting).rejects.toThrow(expect.objectContaining({ code: 'AttemptTimeout' }))
    await expect(waiting).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('leaves no listener behind, however it ends', async () => {
    const { signal } = new AbortController()
    const closing = new AbortController().signal
    const limits = { signal, closing, timeout: 1 }
    await withinLimits(Promise.resolve(1), limits)
    await expect(withinLimits(Promise.reject(1), limits)).rejects.toBe(1)
    await expect(withinLimits(never, limits)).rejects.toThrow('within 1 ms')
    expect([signal, closing].flatMap((each) => getEventListeners(each, 'abort'))).toEqual([])
  })

  it('calls onLimit only when a limit ends the wait', async () => {
    const onLimit = vi.fn()
    await withinLimits(Promise.resolve(1), { timeout: LONG }, onLimit)
    await expect(withinLimits(Promise.reject(1), {}, onLimit)).rejects.toBe(1)
    expect(onLimit).not.toHaveBeenCalled()
    const signal = AbortSignal.abort()
    await expect(withinLimits(never, { signal, timeout: LONG }, onLimit)).rejects.toThrow()
    await expect(withinLimits(never, { timeout: 1 }, onLimit)).rejects.toThrow()
    expect(onLimit).toHaveBeenCalledTimes(2)
  })
})
