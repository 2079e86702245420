import { describe, expect, it, vi } from 'vitest'
import { sleep } from '../../../packages/rest/src/wait/sleep.ts'

const LONG = 2 ** 30

describe('sleep', () => {
  it('ends after the delay', async () => {
    await expect(sleep(0)).resolves.toBeUndefined()
  })

  it('ends at once when the signal aborts', async () => {
    const controller = new AbortController()
    const asleep = sleep(LONG, controller.signal)
    controller.abort()
    await expect(asleep).resolves.toBeUndefined()
  })

  it('does not begin when the signal has aborted', async () => {
    await expect(sleep(LONG, AbortSignal.abort())).resolves.toBeUndefined()
  })

  it('leaves no timer when it rejects a signal, whose end would be an error that nothing catches', async () => {
    vi.useFakeTimers()
    try {
      await expect(sleep(1, 'stop' as never)).rejects.toThrow(TypeError)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not end at once when the delay is longer than a timer can wait', async () => {
    vi.useFakeTimers()
    try {
      let isAwake = false
      void sleep(2 ** 40).then(() => {
        isAwake = true
      })
      await vi.advanceTimersByTimeAsync(LONG)
      expect(isAwake).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})
