import { describe, expect, it } from 'vitest'
import { HandlerCalls } from '../../../packages/query/src/concurrency/handler-calls.ts'

const { signal } = new AbortController()

/** Calls that the test ends. */
function heldCalls() {
  const held: { resolve(): void; reject(error: unknown): void }[] = []
  const failures: string[] = []
  const calls = new HandlerCalls<number>(
    () => new Promise<void>((resolve, reject) => held.push({ resolve, reject })),
    () => failures.push('reported'),
  )
  return { calls, held, failures }
}

describe('HandlerCalls', () => {
  it('waits until at most so many calls are pending', async () => {
    const { calls, held } = heldCalls()
    const seen: string[] = []
    calls.begin(1, signal)
    calls.begin(2, signal)
    await calls.atMost(2)
    const one = calls.atMost(1).then(() => seen.push('one left'))
    const none = one.then(() => calls.end()).then(() => seen.push('none left'))
    held[1]?.resolve()
    await one
    expect(seen).toEqual(['one left'])
    held[0]?.resolve()
    await none
    expect(seen).toEqual(['one left', 'none left'])
  })

  it('throws the first error when all calls are over, and reports it at once', async () => {
    const { calls, held, failures } = heldCalls()
    for (const row of [1, 2, 3]) calls.begin(row, signal)
    held[1]?.reject(new RangeError('first'))
    await calls.atMost(2)
    expect(failures).toEqual(['reported'])
    held[0]?.reject(new RangeError('second'))
    await calls.atMost(1)
    const seen: string[] = []
    const end = calls.end().finally(() => seen.push('over'))
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(seen).toEqual([])
    held[2]?.resolve()
    await expect(end).rejects.toThrow('first')
    expect(failures).toEqual(['reported'])
  })

  it('keeps what a synchronous handler throws, undefined included', async () => {
    const calls = new HandlerCalls<number>(
      () => {
        throw undefined
      },
      () => {},
    )
    calls.begin(1, signal)
    await expect(calls.end()).rejects.toBeUndefined()
  })
})
