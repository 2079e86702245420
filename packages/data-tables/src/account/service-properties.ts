import type {
  LoggingProperties,
  MetricsProperties,
  CorsRule as RowkeyCorsRule,
  ServiceProperties as RowkeyServiceProperties,
} from '@rowkey/rest'

/** How long the service keeps logs or metrics. */
export interface RetentionPolicy {
  /** Whether they are removed after some days. */
  enabled: boolean
  /** 1 to 365; only when enabled. */
  days?: number
}

/** Which requests the service logs. */
export interface Logging {
  /** `1.0`. */
  version: string
  /** Reads. */
  read: boolean
  /** Writes. */
  write: boolean
  /** Deletes. */
  delete: boolean
  /** How long the logs are kept. */
  retentionPolicy: RetentionPolicy
}

/** Which metrics the service collects. */
export interface Metrics {
  /** `1.0`. */
  version?: string
  /** Whether it collects any. */
  enabled: boolean
  /** Whether it collects them for each operation. */
  includeAPIs?: boolean
  /** How long they are kept. */
  retentionPolicy?: RetentionPolicy
}

/** What browsers of other origins may do. */
export interface CorsRule {
  /** The origins, separated by commas; `*` for all. */
  allowedOrigins: string
  /** The methods, separated by commas. */
  allowedMethods: string
  /** The request headers, separated by commas. */
  allowedHeaders: string
  /** The response headers that pages may read, separated by commas. */
  exposedHeaders: string
  /** How many seconds browsers remember a preflight. */
  maxAgeInSeconds: number
}

/** The properties of an account's table service; absent ones stay as they are. */
export interface ServiceProperties {
  /** Logging. */
  logging?: Logging
  /** Metrics for each hour. */
  hourMetrics?: Metrics
  /** Metrics for each minute. */
  minuteMetrics?: Metrics
  /** The rules for browsers; at most 5. */
  cors?: CorsRule[]
}

/** Turns properties into Rowkey's. */
export function toRowkey(properties: ServiceProperties): RowkeyServiceProperties {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  return {
    ...(logging === undefined ? {} : { logging: toLogging(logging) }),
    ...(hourMetrics === undefined ? {} : { hourMetrics: toMetrics(hourMetrics) }),
    ...(minuteMetrics === undefined ? {} : { minuteMetrics: toMetrics(minuteMetrics) }),
    ...(cors === undefined ? {} : { cors: cors.map(toRule) }),
  }
}

/** Turns Rowkey's properties into the official client's. */
export function fromRowkey(properties: RowkeyServiceProperties): ServiceProperties {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  return {
    ...(logging === undefined ? {} : { logging: fromLogging(logging) }),
    ...(hourMetrics === undefined ? {} : { hourMetrics: fromMetrics(hourMetrics) }),
    ...(minuteMetrics === undefined ? {} : { minuteMetrics: fromMetrics(minuteMetrics) }),
    ...(cors === undefined ? {} : { cors: cors.map(fromRule) }),
  }
}

function toLogging({ read, write, delete: deletes, retentionPolicy }: Logging): LoggingProperties {
  return { read, write, delete: deletes, retentionDays: daysOf(retentionPolicy) }
}

function fromLogging({ read, write, delete: deletes, retentionDays }: LoggingProperties): Logging {
  const retentionPolicy = retentionOf(retentionDays)
  return { version: '1.0', read, write, delete: deletes, retentionPolicy }
}

function toMetrics({ enabled, includeAPIs, retentionPolicy }: Metrics): MetricsProperties {
  return { enabled, includeApis: includeAPIs, retentionDays: daysOf(retentionPolicy) }
}

function fromMetrics({ enabled, includeApis, retentionDays }: MetricsProperties): Metrics {
  return {
    version: '1.0',
    enabled,
    ...(includeApis === undefined ? {} : { includeAPIs: includeApis }),
    retentionPolicy: retentionOf(retentionDays),
  }
}

function daysOf(policy: RetentionPolicy | undefined): number | undefined {
  return policy?.enabled ? policy.days : undefined
}

function retentionOf(days: number | undefined): RetentionPolicy {
  return days === undefined ? { enabled: false } : { enabled: true, days }
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '')

function toRule(rule: CorsRule): RowkeyCorsRule {
  return {
    allowedOrigins: listOf(rule.allowedOrigins),
    allowedMethods: listOf(rule.allowedMethods),
    allowedHeaders: listOf(rule.allowedHeaders),
    exposedHeaders: listOf(rule.exposedHeaders),
    maxAgeInSeconds: rule.maxAgeInSeconds,
  }
}

function fromRule(rule: RowkeyCorsRule): CorsRule {
  return {
    allowedOrigins: rule.allowedOrigins.join(),
    allowedMethods: rule.allowedMethods.join(),
    allowedHeaders: rule.allowedHeaders.join(),
    exposedHeaders: rule.exposedHeaders.join(),
    maxAgeInSeconds: rule.maxAgeInSeconds,
  }
}
