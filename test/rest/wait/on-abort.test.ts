import { getEventListeners } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { onAbort } from '../../../packages/rest/src/wait/on-abort.ts'

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

it('keeps the order of the others when any of them is removed, also twice', () => {
  const controller = new AbortController()
  const called: number[] = []
  const removes = [0, 1, 2, 3, 4, 5].map((number) =>
    onAbort(controller.signal, () => called.push(number)),
  )
  for (const number of [3, 0, 3, 5, 0]) removes[number]?.()
  onAbort(controller.signal, () => called.push(6))
  controller.abort()
  expect(called).toEqual([1, 2, 4, 6])
})

it('calls listeners that others remove when the signal aborts, and none that they add', () => {
  const controller = new AbortController()
  const called: string[] = []
  onAbort(controller.signal, () => {
    called.push('first')
    remove()
    onAbort(controller.signal, () => called.push('added'))
  })
  const remove = onAbort(controller.signal, () => called.push('second'))
  controller.abort()
  remove()
  expect(called).toEqual(['first', 'second'])
})
