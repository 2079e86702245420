import { endpointOf, getServiceStats, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { cosmos, emulator } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const live =
  '<StorageServiceStats><GeoReplication><Status>live</Status></GeoReplication></StorageServiceStats>'

describe('getServiceStats', () => {
  it('R-119: reads the secondary endpoint', () => {
    expect(getServiceStats.location).toBe('secondary')
    expect(getServiceStats.toRequest({}, emulator)).toMatchObject({
      method: 'GET',
      path: '/devstoreaccount1/',
      query: 'restype=service&comp=stats',
    })
  })

  it('R-119: goes to the secondary in every location mode', async () => {
    const transport = scriptedTransport({ body: live })
    const service = serviceOver(transport)
    expect(await perform(service, getServiceStats, {})).toEqual({ status: 'live' })
    expect(transport.requests[0]?.origin).toBe('https://contoso-secondary.table.core.windows.net')
  })

  it('R-119: returns the statistics', async () => {
    const response = { status: 200, headers: {}, body: live }
    expect(await getServiceStats.fromResponse(response, {})).toEqual({ status: 'live' })
  })

  it('rejects an account without a secondary, and says where to set it', () => {
    const endpoint = endpointOf('https://tables.contoso.com', { account: 'contoso' })
    expect(() => getServiceStats.toRequest({}, endpoint)).toThrow(/TableSecondaryEndpoint/)
  })

  it('rejects Cosmos DB, which has no statistics', () => {
    expect(() => getServiceStats.toRequest({}, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })
})
