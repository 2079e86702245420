import { setServiceProperties } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos } from '../people.ts'

describe('setServiceProperties', () => {
  it('R-83, R-85: puts the properties as XML', () => {
    expect(setServiceProperties.toRequest({ cors: [] }, contoso)).toMatchObject({
      method: 'PUT',
      path: '/',
      query: 'restype=service&comp=properties',
      headers: { 'content-type': 'application/xml' },
      body: expect.stringContaining('<Cors/>'),
    })
  })

  it('R-83: rejects what the service would reject', () => {
    const hourMetrics = { enabled: true, retentionDays: 366 }
    expect(() => setServiceProperties.toRequest({ hourMetrics }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidServiceProperties' }),
    )
  })

  it('rejects Cosmos DB, which has no service properties', () => {
    expect(() => setServiceProperties.toRequest({}, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })

  it('ignores the body of the response', () => {
    const response = { status: 202, headers: {}, body: '' }
    expect(setServiceProperties.fromResponse(response, {})).toBeUndefined()
  })
})
