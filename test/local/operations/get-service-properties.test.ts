import { describe, expect, it } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'

const target = '/?restype=service&comp=properties'

describe('getServiceProperties', () => {
  it('R-83: returns the recorded properties of a new service', async () => {
    const response = await new Conversation().send('GET', target)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.body).toBe(
      '\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties><Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging><HourMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics><MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></MinuteMetrics><Cors /></StorageServiceProperties>',
    )
  })
})
