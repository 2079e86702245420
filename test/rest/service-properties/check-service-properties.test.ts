import type { ServiceProperties } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkServiceProperties } from '../../../packages/rest/src/service-properties/check-service-properties.ts'
import { everything, rule } from './example-properties.ts'

describe('checkServiceProperties', () => {
  it.each([[{}], [everything], [{ cors: [] }], [{ hourMetrics: { enabled: false } }]])(
    'R-83: accepts %j',
    (properties) => {
      expect(() => checkServiceProperties(properties)).not.toThrow()
    },
  )

  it.each([
    [{ logging: { read: true, write: true, delete: true, retentionDays: 366 } }, '1 to 365'],
    [{ hourMetrics: { enabled: true, retentionDays: 0 } }, 'retentionDays of hourMetrics'],
    [{ minuteMetrics: { enabled: true, retentionDays: 1.5 } }, 'retentionDays of minuteMetrics'],
    [{ logging: { read: 'yes', write: true, delete: true } }, 'read of logging'],
    [{ logging: {} }, 'delete of logging'],
    [{ hourMetrics: { enabled: true, includeApis: 1 } }, 'includeApis of hourMetrics'],
    [
      { hourMetrics: { enabled: false, includeApis: true } },
      'includeApis of hourMetrics of the service properties needs enabled: true',
    ],
    [{ minuteMetrics: { enabled: false, includeApis: true } }, 'needs enabled: true'],
    [{ cors: {} }, 'must be an array of at most 5 rules'],
    [{ logging: null }, 'logging of the service properties must be an object'],
  ])('R-83: rejects %j', (properties, rule) => {
    const given = properties as ServiceProperties
    expect(() => checkServiceProperties(given)).toThrow(
      expect.objectContaining({ code: 'InvalidServiceProperties' }),
    )
    expect(() => checkServiceProperties(given)).toThrow(rule)
  })

  it.each([{ Cors: [] }, { logging: { enabled: true } }, { hourMetrics: { read: true } }])(
    'rejects an unknown name: %j',
    (properties) => {
      expect(() => checkServiceProperties(properties as ServiceProperties)).toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
    },
  )
})

const many = (count: number, value: string) => Array.from({ length: count }, () => value)

describe('the CORS rules', () => {
  it.each([
    ['none', []],
    ['five rules', many(5, '').map(() => rule)],
    ['any origin and any header', [{ ...rule, allowedOrigins: ['*'], allowedHeaders: ['*'] }]],
    ['64 headers', [{ ...rule, exposedHeaders: many(64, 'x-a') }]],
    ['no header', [{ ...rule, allowedHeaders: [], exposedHeaders: [] }]],
  ])('R-83: accepts %s', (_, rules) => {
    expect(() => checkServiceProperties({ cors: rules })).not.toThrow()
  })

  it.each([
    ['six rules', many(6, '').map(() => rule), 'at most 5 rules'],
    ['no origin', [{ ...rule, allowedOrigins: [] }], 'allowedOrigins of cors[0]'],
    ['no method', [rule, { ...rule, allowedMethods: [] }], 'allowedMethods of cors[1]'],
    ['an unknown method', [{ ...rule, allowedMethods: ['get'] }], 'at least one of DELETE, GET'],
    ['65 headers', [{ ...rule, allowedHeaders: many(65, 'x-a') }], 'at most 64 strings'],
    ['3 prefixes', [{ ...rule, exposedHeaders: many(3, 'x-*') }], 'at most 2 of them'],
    ['a long origin', [{ ...rule, allowedOrigins: ['x'.repeat(257)] }], '1 to 256'],
    ['2 KiB', [{ ...rule, allowedOrigins: many(8, 'x'.repeat(250)) }], 'at most 2048 are allowed'],
    ['a comma', [{ ...rule, allowedOrigins: ['a,b'] }], 'without blanks and commas'],
    ['a header of another type', [{ ...rule, exposedHeaders: [7 as never] }], 'exposedHeaders of'],
    ['a negative age', [{ ...rule, maxAgeInSeconds: -1 }], 'maxAgeInSeconds'],
  ])('R-83: rejects %s', (_, rules, message) => {
    expect(() => checkServiceProperties({ cors: rules })).toThrow(
      expect.objectContaining({ code: 'InvalidServiceProperties' }),
    )
    expect(() => checkServiceProperties({ cors: rules })).toThrow(message)
  })
})
