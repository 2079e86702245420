import { parseDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { createStore } from '../../../packages/local/src/service/create-service.ts'
import { ServiceClock } from '../../../packages/local/src/service/service.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

const ground = {
  clock: new ServiceClock(Date.now),
  flavour: 'storage',
  report: () => undefined,
} as const

describe('createStore', () => {
  it('keeps tables in memory without a folder', () => {
    expect(createStore(undefined, ground)).toBeInstanceOf(MemoryStore)
  })

  it('opens no folder before its first use', async () => {
    await createStore('/dev/null/data', ground).close()
  })
})

describe('a clock that goes on', () => {
  it('stamps nothing earlier than the latest stamp of the store', () => {
    const clock = new ServiceClock(() => 5)
    clock.startAfter(parseDateTime('1970-01-01T00:00:00.0079998Z'))
    const stamps = Array.from({ length: 3 }, () => clock.stamp().toJSON())
    expect(stamps).toEqual([
      '1970-01-01T00:00:00.0079999Z',
      '1970-01-01T00:00:00.008Z',
      '1970-01-01T00:00:00.0080001Z',
    ])
  })

  it('is not put back', () => {
    const clock = new ServiceClock(() => 5)
    const first = clock.stamp()
    clock.startAfter(parseDateTime('1970-01-01T00:00:00.004Z'))
    clock.startAfter(undefined)
    expect(clock.stamp() > first || clock.stamp().ticksPastMs > first.ticksPastMs).toBe(true)
  })
})
