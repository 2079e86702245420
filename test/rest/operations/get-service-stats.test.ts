import { endpointOf, getServiceStats } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, emulator } from '../people.ts'

describe('getServiceStats', () => {
  it('R-119: asks the secondary endpoint', () => {
    expect(getServiceStats.location).toBe('secondary')
    expect(getServiceStats.toRequest({}, contoso)).toMatchObject({
      method: 'GET',
      origin: 'https://contoso-secondary.table.core.windows.net',
      path: '/',
      query: 'restype=service&comp=stats',
    })
    expect(getServiceStats.toRequest({}, emulator)).toMatchObject({
      origin: emulator.origin,
      path: '/devstoreaccount1-secondary/',
    })
  })

  it('R-119: gives the statistics', async () => {
    const body =
      '<StorageServiceStats><GeoReplication><Status>live</Status></GeoReplication></StorageServiceStats>'
    const response = { status: 200, headers: {}, body }
    expect(await getServiceStats.fromResponse(response, {})).toEqual({ status: 'live' })
  })

  it('refuses an account whose secondary is not known, and says where to name it', () => {
    const endpoint = endpointOf('https://tables.contoso.com', { account: 'contoso' })
    expect(() => getServiceStats.toRequest({}, endpoint)).toThrow(/TableSecondaryEndpoint/)
  })

  it('refuses Cosmos DB, which has no statistics', () => {
    expect(() => getServiceStats.toRequest({}, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })
})
