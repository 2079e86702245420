import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { untilAborted } from '../../../packages/rest/src/http/send-through.ts'

const aborted = () => new RangeError('aborted')
const never = new Promise<never>(() => {})

it('returns the result of the work, and releases the signal', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve(5), signal, aborted)).toBe(5)
  const failing = Promise.reject(new Error('no'))
  await expect(untilAborted(failing, signal, aborted)).rejects.toThrow('no')
  await Promise.resolve()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('ends with its error when the signal aborts, or had aborted before', async () => {
  const controller = new AbortController()
  const waiting = untilAborted(never, controller.signal, aborted)
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await expect(untilAborted(never, controller.signal, aborted)).rejects.toThrow('aborted')
})

it('leaves no unhandled rejection when the work fails later', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  let fail = (_: Error) => {}
  const work = new Promise<never>((_, reject) => {
    fail = reject
  })
  await expect(untilAborted(work, AbortSignal.abort(), aborted)).rejects.toThrow('aborted')
  fail(new Error('late'))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
