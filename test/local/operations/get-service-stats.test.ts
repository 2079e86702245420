import { describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const target = '/?restype=service&comp=stats'

describe('getServiceStats', () => {
  it('R-119: returns the time of the last synchronization on the secondary', async () => {
    const answer = await new Conversation().send('GET', target, { isSecondary: true })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/xml')
    expect(answer.body).toBe(
      '\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceStats><GeoReplication><Status>live</Status><LastSyncTime>Fri, 20 Nov 2026 12:00:00 GMT</LastSyncTime></GeoReplication></StorageServiceStats>',
    )
  })

  it('R-119: is rejected on the primary', async () => {
    const answer = await new Conversation().send('GET', target)
    expect(xmlCodeOf(answer)).toEqual([400, 'InvalidQueryParameterValue'])
  })
})
