import { AbortError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { untilAborted } from '../../../packages/rest/src/retry/until-aborted.ts'

const never = new Promise<never>(() => {})

describe('untilAborted', () => {
  it('gives what the work gives', async () => {
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1)
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(2), signal)).toBe(2)
    const boom = new TypeError('boom')
    await expect(untilAborted(Promise.reject(boom), signal)).rejects.toBe(boom)
  })

  it('does not wait for work that goes on after the signal aborted', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(never, controller.signal)
    controller.abort('enough')
    await expect(waiting).rejects.toMatchObject({ cause: 'enough', mayHaveApplied: false })
    await expect(untilAborted(never, controller.signal)).rejects.toThrow(AbortError)
  })
})
