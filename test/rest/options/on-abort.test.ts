import { getEventListeners } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { onAbort } from '../../../packages/rest/src/options/on-abort.ts'

it('calls every listener once, in order, when the signal aborts', () => {
  const controller = new AbortController()
  const called: number[] = []
  for (const number of [1, 2, 3]) onAbort(controller.signal, () => called.push(number))
  controller.abort()
  controller.abort()
  expect(called).toEqual([1, 2, 3])
})

it('does not call a listener that was removed', () => {
  const controller = new AbortController()
  const called: string[] = []
  const remove = onAbort(controller.signal, () => called.push('removed'))
  onAbort(controller.signal, () => called.push('kept'))
  remove()
  controller.abort()
  expect(called).toEqual(['kept'])
})

it('adds one listener to a signal, so that Node does not warn of a leak', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const { signal } = new AbortController()
  for (let count = 0; count < 100; count++) onAbort(signal, () => {})
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

it('leaves nothing on the signal after the last listener', () => {
  const { signal } = new AbortController()
  const removes = [1, 2].map(() => onAbort(signal, () => {}))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  for (const remove of removes) remove()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
