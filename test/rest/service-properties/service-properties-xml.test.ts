import { describe, expect, it } from 'vitest'
import {
  readServiceProperties,
  readServiceStatistics,
  writeServiceProperties,
} from '../../../packages/rest/src/service-properties/service-properties-xml.ts'
import { everything } from './example-properties.ts'

const off = '<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>'
const root = (content: string) =>
  `\ufeff<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties>${content}</StorageServiceProperties>`

describe('readServiceProperties', () => {
  it('reads the properties of a new account', async () => {
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
  ])('rejects %s', async (content) => {
    await expect(readServiceProperties(root(content))).rejects.toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse' }),
    )
  })
})

describe('writeServiceProperties', () => {
  it('R-83: writes what reads back as the same', async () => {
    expect(await readServiceProperties(writeServiceProperties(everything))).toEqual(everything)
  })

  it('R-83: omits properties that stay as they are', () => {
    expect(writeServiceProperties({})).toMatch(/<StorageServiceProperties\/>$/)
  })

  it('R-83: writes an empty Cors without rules, which removes all', () => {
    expect(writeServiceProperties({ cors: [] })).toMatch(
      /<StorageServiceProperties><Cors\/><\/StorageServiceProperties>$/,
    )
  })

  it('writes IncludeAPIs only with enabled metrics, and Days only with a retention', () => {
    const hourMetrics = { enabled: false, includeApis: true }
    expect(writeServiceProperties({ hourMetrics })).toContain(
      '<HourMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>',
    )
  })
})

const stats = (content: string) =>
  `<?xml version="1.0" encoding="utf-8"?><StorageServiceStats><GeoReplication>${content}</GeoReplication></StorageServiceStats>`

describe('readServiceStatistics', () => {
  it('R-119: reads the status and the last sync time', async () => {
    const body = stats(
      '<Status>live</Status><LastSyncTime>Mon, 02 Oct 2017 20:14:03 GMT</LastSyncTime>',
    )
    expect(await readServiceStatistics(body)).toEqual({
      status: 'live',
      lastSyncTime: new Date('2017-10-02T20:14:03Z'),
    })
  })

  it('R-119: has no last sync time when the service does not know it', async () => {
    const body = stats('<Status>unavailable</Status><LastSyncTime />')
    expect(await readServiceStatistics(body)).toEqual({ status: 'unavailable' })
  })

  it.each(['', '<Status />', '<Status>live</Status><LastSyncTime>soon</LastSyncTime>'])(
    'rejects %j',
    async (content) => {
      await expect(readServiceStatistics(stats(content))).rejects.toThrow(
        expect.objectContaining({ code: 'UnexpectedResponse' }),
      )
    },
  )
})
