import { resultsInOrder } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { stoppable } from '../../../packages/query/src/concurrency/results-in-order.ts'
import { invalidQuery } from '../../support/rejections.ts'
import { gather } from '../run-of.ts'

const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(resolve, value))

describe('resultsInOrder', () => {
  it('yields results in the order of the items, whichever ends first', async () => {
    const work = (item: number) => (item === 1 ? later(item) : Promise.resolve(item))
    expect(await gather(resultsInOrder([1, 2, 3], work))).toEqual([1, 2, 3])
  })

  it('limits the pending calls, and reads each item only when its turn comes', async () => {
    let pending = 0
    let most = 0
    const taken: number[] = []
    function* items() {
      for (let item = 0; item < 9; item++) {
        taken.push(item)
        yield item
      }
    }
    const work = async (item: number) => {
      most = Math.max(most, ++pending)
      await later(item)
      pending--
      return item
    }
    const results = resultsInOrder(items(), work, { concurrency: 3 })
    expect((await results.next()).value).toBe(0)
    expect(taken).toEqual([0, 1, 2])
    expect(await gather(results)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(most).toBe(3)
  })

  it('holds up no other calls by one that takes long, up to twice the ceiling of the level', async () => {
    const items = Array.from({ length: 128 }, (_, item) => item)
    let done = 1
    let end: (item: number) => void
    const work = (item: number) => {
      if (item === 0) return new Promise<number>((resolve) => (end = resolve))
      if (++done === items.length) end(0)
      return later(item)
    }
    expect(await gather(resultsInOrder(items, work))).toEqual(items)
  })

  it('aborts the other calls when one fails, without an unhandled rejection', async () => {
    const signals: AbortSignal[] = []
    const work = (item: number, signal: AbortSignal) => {
      signals.push(signal)
      return item < 2 ? later(item) : Promise.reject(new RangeError(`no ${item}`))
    }
    await expect(gather(resultsInOrder([1, 2, 3], work))).rejects.toThrow('no 2')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
  })

  it('begins no further call once the loop is left', async () => {
    const begun: number[] = []
    const work = async (item: number) => begun.push(item)
    for await (const _ of resultsInOrder([1, 2, 3], work, { concurrency: 1 })) break
    expect(begun).toEqual([1])
  })

  it("aborts with the caller's signal", async () => {
    const controller = new AbortController()
    const seen: AbortSignal[] = []
    const work = async (_item: number, signal: AbortSignal) => seen.push(signal)
    const results = resultsInOrder([1], work, { signal: controller.signal })
    await results.next()
    controller.abort('enough')
    expect(seen[0]?.reason).toBe('enough')
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity, '3'])('rejects a concurrency of %s', async (given) => {
    const results = resultsInOrder([1], async () => 1, { concurrency: given as number })
    await expect(results.next()).rejects.toThrow(invalidQuery)
  })
})

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
