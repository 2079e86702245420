/** How long logs or metrics are kept. */
export interface Retention {
  /** Whether they are deleted after some days. */
  readonly enabled: boolean
  /** 1 to 365; absent when everything is kept. */
  readonly days: number | undefined
}

/** Which requests to log. The embedded service stores these properties, and writes no logs. */
export interface Logging {
  /** A digit, a dot and a digit, such as `1.0`. */
  readonly version: string
  /** Whether to log reads. */
  readonly read: boolean
  /** Whether to log writes. */
  readonly write: boolean
  /** Whether to log deletes. */
  readonly delete: boolean
  /** How long the logs are kept. */
  readonly retention: Retention
}

/**
 * What to count by the hour or the minute. The embedded service stores these properties, and counts
 * nothing.
 */
export interface Metrics {
  /** A digit, a dot and a digit, such as `1.0`. */
  readonly version: string
  /** Whether anything is counted. */
  readonly enabled: boolean
  /** Absent when nothing is counted. */
  readonly includeApis: boolean | undefined
  /** How long the counts are kept. */
  readonly retention: Retention
}

/** Which requests pages of other origins may send. */
export interface CorsRule {
  /** Exact and case-sensitive origins, or `*` for all. */
  readonly allowedOrigins: readonly string[]
  /** HTTP verbs in upper case. */
  readonly allowedMethods: readonly string[]
  /** Seconds for which a browser may cache the response to a preflight. */
  readonly maxAge: number
  /** Names of headers, prefixes such as `x-ms-*`, or `*` for all. */
  readonly exposedHeaders: readonly string[]
  /** Names of headers, prefixes such as `x-ms-*`, or `*` for all. */
  readonly allowedHeaders: readonly string[]
}

/** The properties of one account's table service. */
export interface ServiceProperties {
  /** Which requests are logged. */
  readonly logging: Logging
  /** The hourly metrics. */
  readonly hourMetrics: Metrics
  /** The metrics by the minute. */
  readonly minuteMetrics: Metrics
  /** The first rule that matches a request decides. */
  readonly cors: readonly CorsRule[]
}

const KEEP: Retention = { enabled: false, days: undefined }
const NOT_COUNTED: Metrics = {
  version: '1.0',
  enabled: false,
  includeApis: undefined,
  retention: KEEP,
}

/** The properties of a new service. */
export const NEW_SERVICE: ServiceProperties = {
  logging: { version: '1.0', read: false, write: false, delete: false, retention: KEEP },
  hourMetrics: NOT_COUNTED,
  minuteMetrics: NOT_COUNTED,
  cors: [],
}
