import {
  deleteEntity,
  EntityNotFoundError,
  endpointOf,
  findEntity,
  getEntity,
  insertEntity,
  type LocationMode,
  noRetry,
  OperationContext,
  perform,
  queryEntities,
  type RetryPolicy,
  SharedKeyCredential,
  type TableServiceSettings,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { atLocation, checkReads, Itinerary } from '../../../packages/rest/src/retry/itinerary.ts'
import { RegionMemory } from '../../../packages/rest/src/retry/region-memory.ts'
import { contoso, cosmos, emulator, jeff, read } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const ok = { status: 200, body: jeff.body }
const busy = { status: 503 }
const missing = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }

function asked(locationMode: LocationMode, ...turns: readonly Turn[]) {
  const transport = scriptedTransport(...turns)
  const waits: number[] = []
  const settings: TableServiceSettings = {
    locationMode,
    sleep: async (delay) => void waits.push(delay),
  }
  const service = serviceOver(transport, settings)
  const places = () =>
    transport.requests.map(({ origin }) =>
      origin.includes('-secondary.') ? 'secondary' : 'primary',
    )
  return { service, places, waits }
}

describe('LocationMode', () => {
  it('R-117: has four values, each with its locations in turn', () => {
    const turnsOf = (mode: LocationMode) => {
      const itinerary = new Itinerary(mode)
      const first = itinerary.location
      itinerary.moveOn(undefined, 0)
      return [first, itinerary.location]
    }
    expect(turnsOf('primaryOnly')).toEqual(['primary', 'primary'])
    expect(turnsOf('primaryThenSecondary')).toEqual(['primary', 'secondary'])
    expect(turnsOf('secondaryOnly')).toEqual(['secondary', 'secondary'])
    expect(turnsOf('secondaryThenPrimary')).toEqual(['secondary', 'primary'])
  })
})

describe('checkReads', () => {
  it('rejects a mode that needs a secondary without one', () => {
    expect(() => checkReads({ locationMode: 'secondaryOnly' }, cosmos, 'x')).toThrow(
      'needs a secondary',
    )
    expect(() => checkReads({ locationMode: 'primaryOnly' }, cosmos, 'x')).not.toThrow()
    const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' })
    const options = { endpoint: cosmos, credential, locationMode: 'primaryThenSecondary' } as const
    expect(() => tableService(options)).toThrow('needs a secondary')
  })

  it('rejects hedged reads of an account without a secondary', () => {
    expect(() => checkReads({ hedgeAfter: 50 }, cosmos, 'get of people')).toThrow(
      'hedgeAfter of get of people needs a secondary endpoint',
    )
    expect(() => checkReads({ hedgeAfter: 50 }, contoso, 'get of people')).not.toThrow()
  })
})

describe('a read', () => {
  it('R-117: alternates between the locations, at first without a wait', async () => {
    const { service, places, waits } = asked('primaryThenSecondary', busy, busy, busy, ok)
    await perform(service, getEntity, jeff)
    expect(places()).toEqual(['primary', 'secondary', 'primary', 'secondary'])
    expect(waits).toEqual([0, 500, 1000])
  })

  it('R-117: starts at the secondary', async () => {
    const { service, places } = asked('secondaryThenPrimary', busy, ok)
    await perform(service, getEntity, jeff)
    expect(places()).toEqual(['secondary', 'primary'])
  })

  it('stays at the only location', async () => {
    const { service, places, waits } = asked('secondaryOnly', busy, busy, ok)
    await perform(service, getEntity, jeff)
    expect(places()).toEqual(['secondary', 'secondary', 'secondary'])
    expect(waits).toEqual([250, 500])
  })

  it('reads at the primary what the secondary lacks, whatever the policy', async () => {
    const { service, places, waits } = asked('secondaryThenPrimary', missing, ok)
    const retry = { delayAfter: () => undefined }
    await perform(service, getEntity, jeff, { retry })
    expect(places()).toEqual(['secondary', 'primary'])
    expect(waits).toEqual([0])
  })

  it('tells the policy where each attempt went', async () => {
    const seen: string[] = []
    const retry: RetryPolicy = {
      delayAfter: ({ number, location }) => (seen.push(location) && number < 3 ? 0 : undefined),
    }
    const { service, places } = asked('secondaryThenPrimary', busy)
    await expect(perform(service, getEntity, jeff, { retry })).rejects.toMatchObject({
      status: 503,
    })
    expect(seen).toEqual(['secondary', 'primary', 'secondary'])
    expect(places()).toEqual(seen)
  })

  it('does not accept a 404 of the secondary', async () => {
    const { service, places } = asked('secondaryThenPrimary', missing, missing)
    expect(await perform(service, findEntity, jeff)).toBeUndefined()
    expect(places()).toEqual(['secondary', 'primary'])
    const other = asked('secondaryOnly', missing)
    expect(await perform(other.service, findEntity, jeff)).toBeUndefined()
    expect(other.places()).toEqual(['secondary'])
  })

  it('stays at the primary after a 404 of the secondary', async () => {
    const { service, places } = asked('primaryThenSecondary', busy, missing, busy, ok)
    await perform(service, getEntity, jeff)
    expect(places()).toEqual(['primary', 'secondary', 'primary', 'primary'])
  })

  it('begins at the primary again that throttled, which works', async () => {
    const { service, places } = asked('primaryThenSecondary', { status: 429 }, ok, ok)
    await perform(service, getEntity, jeff)
    await perform(service, getEntity, jeff)
    expect(places()).toEqual(['primary', 'secondary', 'primary'])
  })

  it('follows the policy after any other failure of the secondary', async () => {
    const { service, places } = asked('secondaryThenPrimary', busy, ok)
    const call = perform(service, getEntity, jeff, { retry: noRetry })
    await expect(call).rejects.toMatchObject({ status: 503, attempts: 1 })
    expect(places()).toEqual(['secondary'])
  })

  it('reports the last failure, and a 404 of the secondary when nothing else is known', async () => {
    const retry = { delayAfter: ({ number }: { number: number }) => (number < 2 ? 0 : undefined) }
    const both = asked('primaryThenSecondary', { status: 500 }, busy)
    await expect(perform(both.service, getEntity, jeff, { retry })).rejects.toMatchObject({
      ...{ status: 503, attempts: 2 },
    })
    const { service } = asked('secondaryOnly', missing)
    await expect(perform(service, getEntity, jeff)).rejects.toThrow(EntityNotFoundError)
  })

  it('does not report a 404 when the primary failed otherwise', async () => {
    const { service } = asked('primaryThenSecondary', busy, missing)
    const retry = { delayAfter: ({ number }: { number: number }) => (number < 2 ? 0 : undefined) }
    const call = perform(service, getEntity, jeff, { retry })
    await expect(call).rejects.toMatchObject({ status: 503, attempts: 2 })
  })

  it('spends the budget only for retries at the same location', async () => {
    const budget = { spend: () => false, earn: () => {} }
    const transport = scriptedTransport(busy)
    const service = serviceOver(transport, {
      retryBudget: budget,
      locationMode: 'primaryThenSecondary',
    })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 2 })
  })

  it('prefers the mode of the call to that of the service', async () => {
    const { service, places } = asked('primaryOnly', ok)
    const context = new OperationContext()
    const options = { locationMode: 'secondaryOnly', context } as const
    await perform(service, getEntity, jeff, options)
    expect(places()).toEqual(['secondary'])
    expect(context).toMatchObject({
      mayBeStale: true,
      lastAttempt: {
        location: 'secondary',
        url: "https://contoso-secondary.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
      },
    })
    const another = new OperationContext()
    await perform(service, getEntity, jeff, { context: another })
    expect(another.mayBeStale).toBe(false)
  })

  it('is signed for its location, in the account of the primary', async () => {
    const endpoint = endpointOf('http://127.0.0.1:10002/devstoreaccount1')
    const credential = new SharedKeyCredential({ account: 'devstoreaccount1', key: 'c2VjcmV0' })
    const transport = scriptedTransport(ok)
    const service = tableService({
      ...{ endpoint, credential, transport, now: () => START },
      locationMode: 'secondaryOnly',
    })
    await perform(service, getEntity, jeff)
    expect(transport.requests[0]).toMatchObject({
      path: "/devstoreaccount1-secondary/people(PartitionKey='Smith',RowKey='Jeff')",
      headers: { authorization: expect.stringMatching(/^SharedKeyLite devstoreaccount1:/) },
    })
  })
})

describe('a write', () => {
  it.each(['secondaryOnly', 'secondaryThenPrimary', 'primaryThenSecondary'] as const)(
    'R-118: goes to the primary with %s',
    async (mode) => {
      const { service, places } = asked(mode, busy, ok, busy, ok)
      await perform(service, insertEntity, jeff).catch(() => {})
      await perform(service, deleteEntity, { ...jeff, etag: '*' }).catch(() => {})
      expect(new Set(places())).toEqual(new Set(['primary']))
    },
  )
})

describe('the pages of a query', () => {
  const page = { headers: { 'x-ms-continuation-nextpartitionkey': 'a' }, body: '{"value":[]}' }

  it('come from the location of the first page', async () => {
    const { service, places } = asked('secondaryThenPrimary', page, busy, page, page)
    const { continuation } = await perform(service, queryEntities, { table: 'people' })
    expect(continuation).toMatchObject({ location: 'secondary' })
    await perform(service, queryEntities, { table: 'people', continuation })
    expect(places()).toEqual(['secondary', 'secondary', 'secondary'])
  })

  it('stay at the primary when the first page came from it', async () => {
    const { service, places } = asked('secondaryThenPrimary', busy, page, busy, page)
    const { continuation } = await perform(service, queryEntities, { table: 'people' })
    expect(continuation).not.toHaveProperty('location')
    await perform(service, queryEntities, { table: 'people', continuation })
    expect(places()).toEqual(['secondary', 'primary', 'primary', 'primary'])
  })

  it('cannot come from an unknown secondary', async () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' })
    const service = tableService({ endpoint: cosmos, credential, transport: scriptedTransport(ok) })
    const continuation = { nextPartitionKey: 'a', location: 'secondary' } as const
    const call = perform(service, queryEntities, { table: 'people', continuation })
    await expect(call).rejects.toThrow('came from a secondary')
  })
})

const responseOf = (status: number) => ({ status, headers: {}, body: '' })

describe('Itinerary', () => {
  it('alternates between the locations', () => {
    const itinerary = new Itinerary('secondaryThenPrimary')
    const places = [itinerary.location]
    for (let attempt = 0; attempt < 3; attempt++) {
      itinerary.moveOn(responseOf(503), 0)
      places.push(itinerary.location)
    }
    expect(places).toEqual(['secondary', 'primary', 'secondary', 'primary'])
  })

  it('subtracts the time since the location was left from a wait', () => {
    const itinerary = new Itinerary('primaryThenSecondary')
    expect(itinerary.isNew).toBe(true)
    itinerary.moveOn(undefined, 1000)
    expect(itinerary.isNew).toBe(true)
    expect(itinerary.waitFor(500, 1100)).toBe(0)
    itinerary.moveOn(undefined, 1100)
    expect(itinerary.isNew).toBe(false)
    expect(itinerary.waitFor(500, 1300)).toBe(200)
    expect(itinerary.waitFor(500, 9000)).toBe(0)
  })

  it('stays at the primary after a 404 of the secondary', () => {
    const itinerary = new Itinerary('secondaryThenPrimary')
    expect(itinerary.mayLag).toBe(true)
    itinerary.moveOn(responseOf(404), 0)
    expect(itinerary.location).toBe('primary')
    expect(itinerary.mayLag).toBe(false)
    itinerary.moveOn(responseOf(503), 0)
    expect(itinerary.location).toBe('primary')
  })

  it('lets a read be hedged before its first attempt has ended, from the primary to the secondary', () => {
    const modes = [
      'primaryOnly',
      'primaryThenSecondary',
      'secondaryOnly',
      'secondaryThenPrimary',
    ] as const
    const hedged = modes.filter((mode) => new Itinerary(mode).mayHedge)
    expect(hedged).toEqual(['primaryThenSecondary'])
    const itinerary = new Itinerary('primaryThenSecondary')
    itinerary.moveOn(responseOf(503), 0)
    expect(itinerary.mayHedge).toBe(false)
  })

  it('leaves the try of a location that failed to reads that may go to the other', () => {
    let now = 0
    const regions = new RegionMemory(() => now)
    regions.failed('primary')
    const first = (mode: LocationMode) => new Itinerary(mode, regions).location
    expect([first('primaryOnly'), first('primaryThenSecondary')]).toEqual(['primary', 'secondary'])
    now = 10_000
    expect([first('primaryOnly'), first('primaryThenSecondary')]).toEqual(['primary', 'primary'])
    expect(first('primaryThenSecondary')).toBe('secondary')
  })

  it('stays at the secondary when it is the only location', () => {
    const itinerary = new Itinerary('secondaryOnly')
    expect(itinerary.mayLag).toBe(false)
    itinerary.moveOn(responseOf(404), 0)
    expect(itinerary.location).toBe('secondary')
  })
})

describe('atLocation', () => {
  it('keeps a request to the primary', () => {
    expect(atLocation(read, contoso, 'primary')).toBe(read)
    expect(atLocation(read, cosmos, 'secondary')).toBe(read)
  })

  it('changes the host in host style, and the first segment in path style', () => {
    expect(atLocation(read, contoso, 'secondary')).toEqual({
      ...read,
      origin: 'https://contoso-secondary.table.core.windows.net',
    })
    const { origin, basePath } = emulator
    const inPath = { ...read, origin, path: `${basePath}/people()` }
    expect(atLocation(inPath, emulator, 'secondary')).toMatchObject({
      origin,
      path: '/devstoreaccount1-secondary/people()',
    })
  })

  it('goes to the secondary of the endpoint', () => {
    const secondary = 'https://copy.example.com/tables/'
    const endpoint = endpointOf('https://contoso.table.core.windows.net', { secondary })
    expect(atLocation(read, endpoint, 'secondary')).toMatchObject({
      origin: 'https://copy.example.com',
      path: `/tables${read.path}`,
    })
  })
})
