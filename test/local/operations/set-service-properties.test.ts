import { describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const target = '/?restype=service&comp=properties'
const retention = '<RetentionPolicy><Enabled>False</Enabled></RetentionPolicy>'
const metrics = `<Version>1.0</Version><Enabled>False</Enabled>${retention}`
const document = (content: string) =>
  `<?xml version='1.0' encoding='utf-8'?>\n<StorageServiceProperties>${content}</StorageServiceProperties>`

describe('setServiceProperties', () => {
  it('R-83: accepts a recorded request', async () => {
    const service = new Conversation()
    const before = (await service.send('GET', target)).body
    const body = document(
      `<Logging><Version>1.0</Version><Delete>False</Delete><Read>False</Read><Write>False</Write>${retention}</Logging><HourMetrics>${metrics}</HourMetrics><MinuteMetrics>${metrics}</MinuteMetrics><Cors />`,
    )
    expect(await service.send('PUT', target, { body })).toMatchObject({ status: 202, body: '' })
    expect((await service.send('GET', target)).body).toBe(before)
  })

  it('R-83: changes only the given parts', async () => {
    const service = new Conversation()
    const on = metrics
      .replace('False', 'true')
      .replace('<Ret', '<IncludeAPIs>true</IncludeAPIs><Ret')
    await service.send('PUT', target, { body: document(`<HourMetrics>${on}</HourMetrics>`) })
    await service.send('PUT', target, { body: document('<Cors/>') })
    const { body } = await service.send('GET', target)
    expect(body).toContain(
      '<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true',
    )
    expect(body).toContain('<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>')
  })

  it('R-83: rejects 366 days as the service was recorded to', async () => {
    const service = new Conversation()
    const kept = retention.replace('False</Enabled>', 'true</Enabled><Days>366</Days>')
    const body = document(`<HourMetrics>${metrics.replace(retention, kept)}</HourMetrics>`)
    const response = await service.send('PUT', target, { body })
    expect(xmlCodeOf(response)).toEqual([400, 'InvalidXmlDocument'])
    expect(response.body).toContain('>XML specified is not syntactically valid.\n')
  })
})
