import { type ServiceProperties, ServicePropertiesError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkServiceProperties } from '../../../packages/rest/src/service-properties/check-service-properties.ts'
import { everything } from './example-properties.ts'

describe('checkServiceProperties', () => {
  it.each([[{}], [everything], [{ cors: [] }], [{ hourMetrics: { enabled: false } }]])(
    'R-83: takes %j',
    (properties) => {
      expect(() => checkServiceProperties(properties)).not.toThrow()
    },
  )

  it.each([
    [{ logging: { read: true, write: true, delete: true, retentionDays: 366 } }, '1 to 365'],
    [{ hourMetrics: { enabled: true, retentionDays: 0 } }, 'hourMetrics.retentionDays'],
    [{ minuteMetrics: { enabled: true, retentionDays: 1.5 } }, 'minuteMetrics.retentionDays'],
    [{ logging: { read: 'yes', write: true, delete: true } }, 'logging.read'],
    [{ logging: {} }, 'logging.read'],
    [{ hourMetrics: { enabled: true, includeApis: 1 } }, 'hourMetrics.includeApis'],
    [{ cors: {} }, 'cors must be an array'],
  ])('R-83: refuses %j', (properties, rule) => {
    const given = properties as ServiceProperties
    expect(() => checkServiceProperties(given)).toThrow(ServicePropertiesError)
    expect(() => checkServiceProperties(given)).toThrow(rule)
  })

  it.each([{ Cors: [] }, { logging: { enabled: true } }, { hourMetrics: { read: true } }])(
    'refuses a name that means nothing: %j',
    (properties) => {
      expect(() => checkServiceProperties(properties as ServiceProperties)).toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
    },
  )
})
