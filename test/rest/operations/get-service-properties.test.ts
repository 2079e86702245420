import { getServiceProperties } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, emulator } from '../people.ts'

describe('getServiceProperties', () => {
  it.each([
    [contoso, '/'],
    [emulator, '/devstoreaccount1/'],
  ])('R-83, R-87: asks the account itself', (endpoint, path) => {
    expect(getServiceProperties.toRequest({}, endpoint)).toMatchObject({
      method: 'GET',
      path,
      query: 'restype=service&comp=properties',
      headers: { accept: 'application/xml' },
    })
  })

  it('R-83: gives the properties', async () => {
    const body = '<StorageServiceProperties><Cors /></StorageServiceProperties>'
    const response = { status: 200, headers: {}, body }
    expect(await getServiceProperties.fromResponse(response, {})).toEqual({ cors: [] })
  })

  it('refuses Cosmos DB, which has no such properties', () => {
    expect(() => getServiceProperties.toRequest({}, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })
})
