import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { tell } from '../../../packages/rest/src/observe/tell.ts'

it('tells a listener', () => {
  const heard: number[] = []
  tell((what: number) => heard.push(what), 7)
  expect(heard).toEqual([7])
})

it('drops what a listener throws', () => {
  const thrower = () => {
    throw new Error('boom')
  }
  expect(() => tell(thrower, 7)).not.toThrow()
})

it.each([
  ['a promise', () => Promise.reject(new Error('boom'))],
  // biome-ignore lint/suspicious/noThenProperty: a listener may return a thenable
  ['a thenable', () => ({ then: (_: unknown, no: (e: Error) => void) => no(new Error()) })],
])('drops the rejection of %s', async (_, listener) => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  tell(listener, 7)
  await setImmediate()
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
