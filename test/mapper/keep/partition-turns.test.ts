import { getEventListeners } from 'node:events'
import { localTableService } from '@rowkey/local'
import { type CallOptions, callOf, tableService } from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { PartitionTurns } from '../../../packages/mapper/src/keep/partition-turns.ts'

/** Writes that end when the test says so. */
function writes() {
  const turns = new PartitionTurns()
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const { transport, connectionString } = localTableService()
  const service = tableService({ connectionString: connectionString(), transport })
  const run = (name: string, partition = 'p', options: CallOptions = {}) =>
    turns.run(partition, callOf(service, options, name), () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)))
      })
    })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { run, begun, turn, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

describe('PartitionTurns', () => {
  it('begins a write when the earlier ones of its partition have ended', async () => {
    const { run, begun, turn, end } = writes()
    const [one, two, three] = [run('1'), run('2'), run('3')]
    const other = run('other', 'q')
    expect(begun).toEqual(['1', 'other'])
    end('1')
    expect(await one).toBe('1')
    await turn()
    expect(begun).toEqual(['1', 'other', '2'])
    end('2', new TypeError('failed'))
    await expect(two).rejects.toThrow('failed')
    await turn()
    end('3')
    expect(await three).toBe('3')
    end('other')
    expect(await other).toBe('other')
  })

  it('a write whose signal aborts does not wait, and the next one still does', async () => {
    const { run, begun, turn, end } = writes()
    const stop = new AbortController()
    const all = [run('1'), run('2', 'p', { signal: stop.signal }), run('3')]
    stop.abort()
    await turn()
    expect(begun).toEqual(['1', '2'])
    end('2')
    await turn()
    expect(begun).toEqual(['1', '2'])
    end('1')
    await turn()
    expect(begun).toEqual(['1', '2', '3'])
    end('3')
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  })

  it('a write waits no longer than until its deadline', async () => {
    const { run, begun, end } = writes()
    const [one, two] = [run('1'), run('2', 'p', { deadline: { endsAt: 10 } })]
    await vi.waitUntil(() => begun.includes('2'))
    for (const name of ['2', '1']) end(name)
    expect(await Promise.all([one, two])).toEqual(['1', '2'])
  })

  it('writes that share a signal share one listener, which ends with the last of them', async () => {
    const { run, turn, end } = writes()
    const { signal } = new AbortController()
    const all = Array.from({ length: 20 }, (_, n) => run(String(n), 'p', { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    for (let n = 0; n < 20; n++) {
      end(String(n))
      await turn()
    }
    await Promise.all(all)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('a write that begins alone begins at once', async () => {
    const { run, begun, end } = writes()
    const one = run('1')
    end('1')
    await one
    const two = run('2')
    expect(begun).toEqual(['1', '2'])
    end('2')
    await two
  })
})
