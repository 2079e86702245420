import { expect, it } from 'vitest'
import { stoppable } from '../../../packages/query/src/concurrency/stoppable.ts'

it('aborts its own signal, and not the caller’s', () => {
  const caller = new AbortController()
  const { options, stop } = stoppable({ signal: caller.signal, ...{ timeout: 5 } })
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

it('works without a signal of the caller', () => {
  const { options, stop } = stoppable({})
  expect(options.signal?.aborted).toBe(false)
  stop()
  expect(options.signal?.aborted).toBe(true)
})
