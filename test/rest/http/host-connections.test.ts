import { describe, expect, it, vi } from 'vitest'
import { FetchConnections } from '../../../packages/rest/src/http/fetch-connections.ts'
import { HostConnections } from '../../../packages/rest/src/http/host-connections.ts'
import { read } from '../people.ts'

function clock() {
  let time = 0
  return {
    now: () => time,
    pass: (ms: number) => {
      time += ms
    },
  }
}

const dispatcher = () => {
  let finish = (): void => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { close: vi.fn(() => ended), finish }
}

describe('HostConnections', () => {
  it('replaces connections after five minutes, and lists them until their requests have ended', async () => {
    const { now, pass } = clock()
    const hosts = new HostConnections<ReturnType<typeof dispatcher>>(now)
    const first = hosts.add('a', dispatcher())
    const other = hosts.add('b', dispatcher())
    pass(299_999)
    expect(hosts.get('a')).toBe(first)
    pass(1)
    expect(hosts.get('a')).toBeUndefined()
    const second = hosts.add('a', dispatcher())
    expect(first.close).toHaveBeenCalledOnce()
    expect(new Set(hosts.all())).toEqual(new Set([first, second, other]))
    first.finish()
    await new Promise(setImmediate)
    expect(new Set(hosts.all())).toEqual(new Set([second, other]))
  })

  it('replaces connections of a failing host once a second at most', () => {
    const { now, pass } = clock()
    const hosts = new HostConnections<ReturnType<typeof dispatcher>>(now)
    const first = hosts.add('a', dispatcher())
    hosts.renew('a')
    pass(999)
    hosts.renew('a')
    expect(hosts.get('a')).toBe(first)
    pass(1)
    hosts.renew('a')
    hosts.renew('a')
    expect(hosts.get('a')).toBeUndefined()
    expect(first.close).toHaveBeenCalledOnce()
  })
})

describe('FetchConnections', () => {
  const ends = (connections: FetchConnections) =>
    connections.begin(read).connection === 'close' ? 'ends' : 'stays'

  it('ends as many connections as were in use at once, after five minutes', () => {
    const { now, pass } = clock()
    const connections = new FetchConnections(now)
    expect([1, 2, 3].map(() => ends(connections))).toEqual(['stays', 'stays', 'stays'])
    for (const status of [200, 404, undefined]) connections.end(read.origin, status)
    pass(300_000)
    expect([1, 2, 3, 4].map(() => ends(connections))).toEqual(['ends', 'ends', 'ends', 'stays'])
  })

  it('ends them after a response that says "unavailable", once a second at most', () => {
    const { now, pass } = clock()
    const connections = new FetchConnections(now)
    const sendOne = (status: number) => {
      const does = ends(connections)
      connections.end(read.origin, status)
      return does
    }
    expect([503, 200].map(sendOne)).toEqual(['stays', 'stays'])
    pass(1_000)
    expect([500, 503, 503, 503].map(sendOne)).toEqual(['stays', 'stays', 'ends', 'stays'])
    pass(1_000)
    expect([502, 200, 200].map(sendOne)).toEqual(['stays', 'ends', 'stays'])
  })
})
