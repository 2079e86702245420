import { InputError, parseDateTime } from '@rowkey/odata'
import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { inaccessibleStore } from '../../../packages/local/src/errors/store-error.ts'
import { createService, createStore } from '../../../packages/local/src/service/create-service.ts'
import { placeOf, ServiceClock } from '../../../packages/local/src/service/service.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

describe('createService', () => {
  it('uses the account of emulators, real time and new ids by default', () => {
    const service = createService({})
    expect([...service.accounts.keys()]).toEqual([DEVELOPMENT_ACCOUNT])
    expect(service.newId()).not.toBe(service.newId())
    expect(Math.abs(service.clock.now() - Date.now())).toBeLessThan(60_000)
  })

  it.each([{ keepNameFor: -1 }, { keepNameFor: Number.NaN }, { keepNameFor: 1, for: 2 }])(
    'R-25: rejects the tableDeletion %o',
    (tableDeletion) => {
      expect(() => createService({ tableDeletion })).toThrow(InputError)
    },
  )

  it.each(['bearer', 'newId', 'now', 'onInternalError', 'pause', 'random'])(
    'rejects a %s that is not a function, before it is called',
    (name) => {
      expect(() => createService({ [name]: 5 })).toThrow(`${name} of localTableService`)
      expect(() => createService({ [name]: null })).toThrow(InputError)
    },
  )

  it.each(['', 'a\0b', 5, null, {}])('rejects %j as a folder', (data) => {
    expect(() => createService({ data: data as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('emits errors as process warnings, and the same error of the store once in a row', async () => {
    const emitted: unknown[] = []
    const note = (warning: unknown) => emitted.push(warning)
    process.on('warning', note)
    const full = () => inaccessibleStore('/data', 'the disk is full')
    const readOnly = inaccessibleStore('/data', 'it is read-only')
    const failure = new RangeError('broken')
    const { report } = createService({})
    for (const error of [full(), full(), failure, failure, full(), readOnly, 'text']) report(error)
    await vi.waitFor(() => expect(emitted.at(-1)).toMatchObject({ message: 'text' }))
    process.off('warning', note)
    expect(emitted.slice(0, -1)).toEqual([full(), failure, failure, readOnly])
  })
})

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

it('placeOf returns the same store for both locations, or one for each', async () => {
  const alone = createService({})
  expect(await placeOf(alone, true)).toBe(alone)
  const lagging = createService({ replication: { lag: 1 } })
  const [primary, secondary] = [await placeOf(lagging, false), await placeOf(lagging, true)]
  expect(primary.store).not.toBe(secondary.store)
  await primary.store.createTable('devstoreaccount1', 'people')
  expect(await lagging.store.tableNames('devstoreaccount1')).toEqual(['people'])
  expect(await secondary.store.tableNames('devstoreaccount1')).toEqual([])
})
