import { expect, it } from 'vitest'
import { stoppable } from '../../../packages/query/src/run/stoppable.ts'

it('stops what it was made for, and not the caller', () => {
  const caller = new AbortController()
  const { options, stop } = stoppable({ signal: caller.signal, timeout: 5 })
  expect(options.timeout).toBe(5)
  stop()
  expect(options.signal?.aborted).toBe(true)
  expect(caller.signal.aborted).toBe(false)
})

it("aborts with the caller's reason", () => {
  const caller = new AbortController()
  const { options } = stoppable({ signal: caller.signal })
  caller.abort('enough')
  expect(options.signal?.reason).toBe('enough')
})

it('needs no signal to begin with', () => {
  const { options, stop } = stoppable({ timeout: 5 })
  expect(options.signal?.aborted).toBe(false)
  stop()
  expect(options.signal?.aborted).toBe(true)
})
