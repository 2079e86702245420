import { describe, expect, it } from 'vitest'
import { readServiceProperties } from '../../../packages/rest/src/service-properties/read-service-properties.ts'

const off = '<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>'
const root = (content: string) =>
  `\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties>${content}</StorageServiceProperties>`

describe('readServiceProperties', () => {
  it('reads what a new account says', async () => {
    const body = root(
      `<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>${off}</Logging>` +
        `<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>${off}</HourMetrics>` +
        `<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>${off}</MinuteMetrics><Cors />`,
    )
    expect(await readServiceProperties(body)).toEqual({
      logging: { read: false, write: false, delete: false },
      hourMetrics: { enabled: false },
      minuteMetrics: { enabled: false },
      cors: [],
    })
  })

  it('reads booleans in any case', async () => {
    const body = root(
      '<HourMetrics><Enabled>True</Enabled><IncludeAPIs>FALSE</IncludeAPIs></HourMetrics>',
    )
    expect(await readServiceProperties(body)).toEqual({
      hourMetrics: { enabled: true, includeApis: false },
    })
  })

  it.each([
    '<HourMetrics><Enabled>maybe</Enabled></HourMetrics>',
    '<Logging><Read>true</Read></Logging>',
    '<HourMetrics><Enabled>true</Enabled><RetentionPolicy><Enabled>true</Enabled></RetentionPolicy></HourMetrics>',
    '<Cors><CorsRule><MaxAgeInSeconds>-1</MaxAgeInSeconds></CorsRule></Cors>',
  ])('takes %s for no properties', async (content) => {
    await expect(readServiceProperties(root(content))).rejects.toThrow(
      expect.objectContaining({ code: 'UnexpectedAnswer' }),
    )
  })
})
