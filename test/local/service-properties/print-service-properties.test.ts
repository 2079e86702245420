import { describe, expect, it } from 'vitest'
import {
  NEW_SERVICE,
  printServiceProperties,
  readServiceProperties,
  type ServiceProperties,
} from '../../../packages/local/src/service-properties/service-properties.ts'

const kept = { enabled: true, days: 7 }
const properties: ServiceProperties = {
  logging: { version: '1.0', read: true, write: false, delete: true, retention: kept },
  hourMetrics: { version: '1.0', enabled: true, includeApis: false, retention: kept },
  minuteMetrics: NEW_SERVICE.minuteMetrics,
  cors: [
    {
      allowedOrigins: ['http://a.example', 'http://b.example'],
      allowedMethods: ['GET', 'PUT'],
      maxAge: 500,
      exposedHeaders: ['x-ms-*'],
      allowedHeaders: [],
    },
  ],
}

describe('printServiceProperties', () => {
  it('R-83: prints enabled properties in the order of the service', async () => {
    const text = printServiceProperties(properties)
    expect(text).toContain(
      '<Read>true</Read><Write>false</Write><Delete>true</Delete><RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>',
    )
    expect(text).toContain(
      '<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>false</IncludeAPIs>',
    )
    expect(text).toContain(
      '<Cors><CorsRule><AllowedOrigins>http://a.example,http://b.example</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds><ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders /></CorsRule></Cors>',
    )
  })

  it('R-83: prints a document that reads the same', async () => {
    expect(await readServiceProperties(printServiceProperties(properties))).toEqual(properties)
    expect(await readServiceProperties(printServiceProperties(NEW_SERVICE))).toEqual(NEW_SERVICE)
  })
})
