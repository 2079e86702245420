import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  getEntity,
  insertEntity,
  noRetry,
  perform,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RegionMemory } from '../../../packages/rest/src/retry/region-memory.ts'
import { jeff } from '../people.ts'

function clock() {
  let time = 0
  return {
    now: () => time,
    pass: (ms: number) => {
      time += ms
    },
  }
}

describe('RegionMemory', () => {
  it('avoids a location for ten seconds, then lets one read try it, and doubles the time', () => {
    const { now, pass } = clock()
    const regions = new RegionMemory(now)
    const asks = () => regions.isAvoided('primary', 'secondary')
    expect(asks()).toBe(false)
    regions.failed('primary')
    pass(9_999)
    expect([asks(), asks()]).toEqual([true, true])
    pass(1)
    expect([asks(), asks()]).toEqual([false, true])
    regions.failed('primary')
    pass(19_999)
    expect(asks()).toBe(true)
    pass(1)
    expect([asks(), asks()]).toEqual([false, true])
  })

  it('avoids a location that stays broken for one minute at most', () => {
    const { now, pass } = clock()
    const regions = new RegionMemory(now)
    regions.failed('primary')
    for (const rest of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      pass(rest - 1)
      expect([rest, regions.isAvoided('primary', 'secondary')]).toEqual([rest, true])
      pass(1)
      expect([rest, regions.isAvoided('primary', 'secondary')]).toEqual([rest, false])
    }
  })

  it('avoids a location that was slower three times, with no response between', () => {
    const regions = new RegionMemory(() => 0)
    const outrun = (times: number) => {
      for (let time = 0; time < times; time++) regions.outrun('primary')
      return regions.isAvoided('primary', 'secondary')
    }
    expect(outrun(2)).toBe(false)
    regions.succeeded('primary')
    expect([outrun(2), outrun(1)]).toEqual([false, true])
  })

  it('hedges ten reads at once, and then three of a hundred', () => {
    const regions = new RegionMemory(() => 0)
    const hedges = (reads: number) => {
      let hedged = 0
      for (let read = 0; read < reads; read++) {
        regions.mayBeHedged()
        if (regions.hedge()) hedged++
      }
      return hedged
    }
    expect(hedges(20)).toBe(10)
    expect(hedges(1_000)).toBeGreaterThanOrEqual(29)
    expect(hedges(1_000)).toBeLessThanOrEqual(31)
    for (let read = 0; read < 1_000; read++) regions.mayBeHedged()
    expect(Array.from({ length: 12 }, () => regions.hedge()).filter(Boolean)).toHaveLength(10)
  })

  it('forgets a location that works again, and avoids none when both failed', () => {
    const regions = new RegionMemory(() => 0)
    regions.failed('primary')
    regions.failed('secondary')
    expect(regions.isAvoided('primary', 'secondary')).toBe(false)
    regions.succeeded('secondary')
    expect(regions.isAvoided('primary', 'secondary')).toBe(true)
    regions.succeeded('primary')
    expect(regions.isAvoided('primary', 'secondary')).toBe(false)
  })
})

/** A region on a socket, which can hang. */
async function region() {
  const state = { isSilent: false, isBroken: false, requests: [] as string[] }
  const server = createServer((request, response) => {
    state.requests.push(String(request.method))
    if (state.isSilent) return
    if (state.isBroken) {
      request.destroy()
      return
    }
    response
      .writeHead(200, { 'content-type': 'application/json', etag: '"1"' })
      .end('{"PartitionKey":"Smith","RowKey":"Jeff"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { state, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function twoRegions() {
  const [primary, secondary] = [await region(), await region()]
  const { now, pass } = clock()
  const service = tableService({
    endpoint: {
      origin: primary.origin,
      basePath: '',
      account: 'contoso',
      flavour: 'storage',
      secondary: { origin: secondary.origin, basePath: '' },
    },
    credential: { authorize: (request) => request },
    transport: undiciTransport(),
    locationMode: 'primaryThenSecondary',
    timeout: 1_000,
    now,
    sleep: async () => {},
  })
  onTestFinished(() => service.close())
  return { service, pass, primary: primary.state, secondary: secondary.state }
}

describe('an account whose primary fails', () => {
  it.each(['isSilent', 'isBroken'] as const)(
    'pays for it with one attempt, not with one for each read: %s',
    async (trouble) => {
      const { service, primary, secondary, pass } = await twoRegions()
      primary[trouble] = true
      for (let read = 0; read < 6; read++) {
        await perform(service, getEntity, jeff)
        pass(100)
      }
      expect(primary.requests).toHaveLength(1)
      expect(secondary.requests).toHaveLength(6)
    },
  )

  it('returns when the primary answers again', async () => {
    const { service, primary, secondary, pass } = await twoRegions()
    primary.isBroken = true
    await perform(service, getEntity, jeff)
    primary.isBroken = false
    pass(10_000)
    for (let read = 0; read < 3; read++) await perform(service, getEntity, jeff)
    expect(primary.requests).toHaveLength(4)
    expect(secondary.requests).toHaveLength(1)
  })

  it('never sends a write to the secondary', async () => {
    const { service, primary, secondary } = await twoRegions()
    primary.isBroken = true
    await perform(service, getEntity, jeff)
    await expect(perform(service, insertEntity, jeff, { retry: noRetry })).rejects.toThrow()
    expect(secondary.requests).toEqual(['GET'])
    expect(primary.requests).toContain('POST')
  })
})
