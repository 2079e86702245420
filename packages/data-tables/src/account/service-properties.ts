import { anything, declareOptions, required, rule, trueOrFalse } from '@rowkey/odata'
import type {
  LoggingProperties,
  MetricsProperties,
  CorsRule as RowkeyCorsRule,
  ServiceProperties as RowkeyServiceProperties,
  ServiceStatistics,
} from '@rowkey/rest'
import { checkArray, checkMembers, invalidArgument } from '../errors/check-arguments.ts'
import type {
  ServiceGetPropertiesHeaders,
  ServiceGetStatisticsHeaders,
} from './response-headers.ts'

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
  /** How long the service retains the logs. */
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
  /** How long the service retains them. */
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

/** The properties of an account's table service, with the headers of the response. */
export type GetPropertiesResponse = ServiceGetPropertiesHeaders & ServiceProperties

/** The state of an account's copy in a second region. */
export type GeoReplicationStatusType = string

/** The values of {@link GeoReplicationStatusType} that the service has. */
export const KnownGeoReplicationStatusType: {
  /** The copy can be read. */
  readonly Live: 'live'
  /** The copy is being created. */
  readonly Bootstrap: 'bootstrap'
  /** The copy cannot be read. */
  readonly Unavailable: 'unavailable'
} = { Live: 'live', Bootstrap: 'bootstrap', Unavailable: 'unavailable' }
/** The values of {@link GeoReplicationStatusType} that the service has. */
export type KnownGeoReplicationStatusType =
  (typeof KnownGeoReplicationStatusType)[keyof typeof KnownGeoReplicationStatusType]

/** An account's copy in a second region. */
export interface GeoReplication {
  /** Its state. */
  status: GeoReplicationStatusType
  /** Every write before this time is there. */
  lastSyncTime: Date
}

/** The statistics of an account's table service. */
export interface TableServiceStats {
  /** The copy in a second region. */
  geoReplication?: GeoReplication
}

/** The statistics of an account's table service, with the headers of the response. */
export type GetStatisticsResponse = ServiceGetStatisticsHeaders & TableServiceStats

/** Turns Rowkey's statistics into the official client's; a copy that is being created has no time. */
export function statisticsOf({ status, lastSyncTime }: ServiceStatistics): TableServiceStats {
  const time = lastSyncTime === undefined ? {} : { lastSyncTime: new Date(lastSyncTime) }
  return { geoReplication: { status, ...(time as { lastSyncTime: Date }) } }
}

const propertyMembers = declareOptions<ServiceProperties>({
  logging: anything,
  hourMetrics: anything,
  minuteMetrics: anything,
  cors: anything,
})

/**
 * Turns properties into Rowkey's.
 *
 * @throws InputError for an unknown or invalid member
 */
export function toRowkey(properties: ServiceProperties): RowkeyServiceProperties {
  checkMembers(properties, propertyMembers, 'setProperties')
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  if (cors !== undefined) checkArray(cors, 'cors of setProperties')
  return {
    logging: logging === undefined ? undefined : toLogging(logging),
    hourMetrics: hourMetrics === undefined ? undefined : toMetrics(hourMetrics, 'hourMetrics'),
    minuteMetrics:
      minuteMetrics === undefined ? undefined : toMetrics(minuteMetrics, 'minuteMetrics'),
    cors: cors?.map(toRule),
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

const loggingMembers = declareOptions<Logging>({
  version: anything,
  read: anything,
  write: anything,
  delete: anything,
  retentionPolicy: anything,
})

function toLogging(logging: Logging): LoggingProperties {
  checkMembers(logging, loggingMembers, 'logging of setProperties')
  const { read, write, delete: deletes, retentionPolicy } = logging
  return { read, write, delete: deletes, retentionDays: daysOf(retentionPolicy, 'logging') }
}

function fromLogging({ read, write, delete: deletes, retentionDays }: LoggingProperties): Logging {
  const retentionPolicy = retentionOf(retentionDays)
  return { version: '1.0', read, write, delete: deletes, retentionPolicy }
}

const metricsMembers = declareOptions<Metrics>({
  version: anything,
  enabled: anything,
  includeAPIs: anything,
  retentionPolicy: anything,
})

function toMetrics(metrics: Metrics, place: string): MetricsProperties {
  checkMembers(metrics, metricsMembers, `${place} of setProperties`)
  const { enabled, includeAPIs, retentionPolicy } = metrics
  return { enabled, includeApis: includeAPIs, retentionDays: daysOf(retentionPolicy, place) }
}

function fromMetrics({ enabled, includeApis, retentionDays }: MetricsProperties): Metrics {
  return {
    version: '1.0',
    enabled,
    ...(includeApis === undefined ? {} : { includeAPIs: includeApis }),
    retentionPolicy: retentionOf(retentionDays),
  }
}

const retentionMembers = declareOptions<RetentionPolicy>({ enabled: trueOrFalse, days: anything })

function daysOf(policy: RetentionPolicy | undefined, where: string): number | undefined {
  if (policy === undefined) return undefined
  const place = `retentionPolicy of ${where} of setProperties`
  checkMembers(policy, retentionMembers, place)
  if (!policy.enabled) return undefined
  if (policy.days !== undefined) return policy.days
  throw invalidArgument(`${place} is enabled and needs days: a whole number from 1 to 365.`)
}

function retentionOf(days: number | undefined): RetentionPolicy {
  return days === undefined ? { enabled: false } : { enabled: true, days }
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '')

const aList = required(
  rule("a string with commas, '' for an empty list", (value) => typeof value === 'string'),
)

const ruleMembers = declareOptions<CorsRule>({
  allowedOrigins: aList,
  allowedMethods: aList,
  allowedHeaders: aList,
  exposedHeaders: aList,
  maxAgeInSeconds: anything,
})

function toRule(given: CorsRule, index: number): RowkeyCorsRule {
  const place = `cors rule ${index} of setProperties`
  checkMembers(given, ruleMembers, place)
  return {
    allowedOrigins: listOf(given.allowedOrigins),
    allowedMethods: listOf(given.allowedMethods),
    allowedHeaders: listOf(given.allowedHeaders),
    exposedHeaders: listOf(given.exposedHeaders),
    maxAgeInSeconds: given.maxAgeInSeconds,
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
