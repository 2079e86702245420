/** How long logs or metrics are kept. */
export interface Retention {
  readonly enabled: boolean
  /** 1 to 365; absent when everything is kept. */
  readonly days: number | undefined
}

/** Which requests are to be logged. Kept and shown; the embedded service writes no logs. */
export interface Logging {
  readonly version: string
  readonly read: boolean
  readonly write: boolean
  readonly delete: boolean
  readonly retention: Retention
}

/** What is to be counted by the hour or the minute. Kept and shown; nothing is counted here. */
export interface Metrics {
  readonly version: string
  readonly enabled: boolean
  /** Absent when nothing is counted. */
  readonly includeApis: boolean | undefined
  readonly retention: Retention
}

/** Which requests the pages of other origins may make. */
export interface CorsRule {
  /** Exact and case-sensitive, or `*` for all. */
  readonly allowedOrigins: readonly string[]
  readonly allowedMethods: readonly string[]
  /** Seconds for which a browser may remember the answer to a preflight. */
  readonly maxAge: number
  /** Names of headers, `x-ms-*` for all that begin so, or `*` for all. */
  readonly exposedHeaders: readonly string[]
  /** Names of headers, `x-ms-*` for all that begin so, or `*` for all. */
  readonly allowedHeaders: readonly string[]
}

/** The settings of one account's table service. */
export interface ServiceProperties {
  readonly logging: Logging
  readonly hourMetrics: Metrics
  readonly minuteMetrics: Metrics
  /** The first that matches a request decides. */
  readonly cors: readonly CorsRule[]
}

const KEEP: Retention = { enabled: false, days: undefined }
const NOT_COUNTED: Metrics = {
  version: '1.0',
  enabled: false,
  includeApis: undefined,
  retention: KEEP,
}

/** The settings of a service that nobody has set. */
export const NEW_SERVICE: ServiceProperties = {
  logging: { version: '1.0', read: false, write: false, delete: false, retention: KEEP },
  hourMetrics: NOT_COUNTED,
  minuteMetrics: NOT_COUNTED,
  cors: [],
}
