import { describe, expect, it } from 'vitest'
import { RequestGate } from '../../../packages/query/src/parallel/request-gate.ts'

/** Work that is over when it is told so, and a list of what was begun. */
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
  it('begins at once where there is room, and the rest in its order when room comes', async () => {
    const { begun, work, end } = pieces()
    const gate = new RequestGate(2)
    const [a] = ['a', 'b', 'c', 'd'].map((name) => gate.pass(work(name)))
    expect(begun).toEqual(['a', 'b'])
    end('a')
    expect(await a).toBe('a')
    await new Promise(setImmediate)
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('makes room also when work fails', async () => {
    const gate = new RequestGate(1)
    await expect(gate.pass(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no')
    expect(await gate.pass(async () => 5)).toBe(5)
  })

  it('begins nothing that waits once it is closed', async () => {
    const { begun, work, end } = pieces()
    const gate = new RequestGate(1)
    const [a] = ['a', 'b'].map((name) => gate.pass(work(name)))
    gate.close()
    end('a')
    await a
    await new Promise(setImmediate)
    expect(begun).toEqual(['a'])
  })
})
