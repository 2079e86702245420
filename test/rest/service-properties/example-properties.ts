import type { CorsRule, ServiceProperties } from '@rowkey/rest'

/** A rule that breaks nothing. */
export const rule: CorsRule = {
  allowedOrigins: ['https://contoso.com'],
  allowedMethods: ['GET', 'PUT'],
  allowedHeaders: ['x-ms-*', 'content-type'],
  exposedHeaders: ['x-ms-*'],
  maxAgeInSeconds: 500,
}

/** Properties with everything that there is. */
export const everything: ServiceProperties = {
  logging: { read: false, write: true, delete: true, retentionDays: 7 },
  hourMetrics: { enabled: true, includeApis: false, retentionDays: 365 },
  minuteMetrics: { enabled: false },
  cors: [rule, { ...rule, allowedOrigins: ['*'], allowedHeaders: [], exposedHeaders: [] }],
}
