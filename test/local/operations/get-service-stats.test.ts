import { describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const target = '/?restype=service&comp=stats'

describe('getServiceStats', () => {
  it('R-119: returns the time of the last synchronization on the secondary', async () => {
    const response = await new Conversation().send('GET', target, { isSecondary: true })
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.body).toBe(
      '\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceStats><GeoReplication><Status>live</Status><LastSyncTime>Fri, 20 Nov 2026 12:00:00 GMT</LastSyncTime></GeoReplication></StorageServiceStats>',
    )
  })

  it('R-119: is rejected on the primary', async () => {
    const response = await new Conversation().send('GET', target)
    expect(xmlCodeOf(response)).toEqual([400, 'InvalidQueryParameterValue'])
  })
})
