import { levelOfRun, RequestGate } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

/** Requests that the test ends, and a list of those that began. */
function pieces() {
  const begun: string[] = []
  const over = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => over.set(name, () => resolve(name)))
  }
  return { begun, work, end: (name: string) => over.get(name)?.() }
}

describe('RequestGate', () => {
  it('begins at once where there is room, and the rest in order as others end', async () => {
    const { begun, work, end } = pieces()
    const gate = new RequestGate(levelOfRun(2, undefined))
    const [a] = ['a', 'b', 'c', 'd'].map((name) => gate.pass(work(name)))
    expect(begun).toEqual(['a', 'b'])
    end('a')
    expect(await a).toBe('a')
    await new Promise(setImmediate)
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('lets requests to a throttled partition wait until fewer are in flight to it, and no others', () => {
    const gate = new RequestGate(levelOfRun(8, undefined))
    const hot = Array.from({ length: 4 }, () => gate.begin('hot')).filter(
      (each) => each !== undefined,
    )
    for (const slot of hot.slice(0, 1)) gate.throttled(slot)
    expect(gate.begin('hot')).toBeUndefined()
    expect(gate.begin('other')).toBeDefined()
    for (const slot of hot.slice(0, 2)) gate.end(slot, true)
    expect(gate.begin('hot')).toBeUndefined() // half of four are in flight
    for (const slot of hot.slice(2, 3)) gate.end(slot, true)
    expect(gate.begin('hot')).toBeDefined()
  })

  it('frees its place also when a request fails', async () => {
    const gate = new RequestGate(levelOfRun(1, undefined))
    await expect(gate.pass(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no')
    expect(await gate.pass(async () => 5)).toBe(5)
  })

  it('begins no waiting request once it is closed', async () => {
    const { begun, work, end } = pieces()
    const gate = new RequestGate(levelOfRun(1, undefined))
    const [a] = ['a', 'b'].map((name) => gate.pass(work(name)))
    gate.close()
    end('a')
    await a
    await new Promise(setImmediate)
    expect(begun).toEqual(['a'])
  })
})
