import { getServiceProperties } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, emulator } from '../people.ts'

describe('getServiceProperties', () => {
  it.each([
    [contoso, '/'],
    [emulator, '/devstoreaccount1/'],
  ])("R-83, R-87: reads the account's root", (endpoint, path) => {
    expect(getServiceProperties.toRequest({}, endpoint)).toMatchObject({
      method: 'GET',
      path,
      query: 'restype=service&comp=properties',
      headers: { accept: 'application/xml' },
    })
  })

  it('R-83: returns the properties', async () => {
    const body = '<StorageServiceProperties><Cors /></StorageServiceProperties>'
    const response = { status: 200, headers: {}, body }
    expect(await getServiceProperties.fromResponse(response, {})).toEqual({ cors: [] })
  })

  it('rejects Cosmos DB, which has no service properties', () => {
    expect(() => getServiceProperties.toRequest({}, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })
})
