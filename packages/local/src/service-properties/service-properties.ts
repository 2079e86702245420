/** How long logs or metrics are kept. */
export interface Retention {
  /** Whether they are deleted after some days. */
  readonly enabled: boolean
  /** 1 to 365; absent when everything is kept. */
  readonly days: number | undefined
}

/** Which requests are to be logged. Kept and shown; the embedded service writes no logs. */
export interface Logging {
  /** A digit, a dot and a digit, as in `1.0`. */
  readonly version: string
  /** Whether reads are. */
  readonly read: boolean
  /** Whether writes are. */
  readonly write: boolean
  /** Whether deletes are. */
  readonly delete: boolean
  /** How long the logs are kept. */
  readonly retention: Retention
}

/** What is to be counted by the hour or the minute. Kept and shown; nothing is counted here. */
export interface Metrics {
  /** A digit, a dot and a digit, as in `1.0`. */
  readonly version: string
  /** Whether anything is counted. */
  readonly enabled: boolean
  /** Absent when nothing is counted. */
  readonly includeApis: boolean | undefined
  /** How long the counts are kept. */
  readonly retention: Retention
}

/** Which requests the pages of other origins may make. */
export interface CorsRule {
  /** Exact and case-sensitive, or `*` for all. */
  readonly allowedOrigins: readonly string[]
  /** Verbs of HTTP, in capitals. */
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
  /** Which requests are logged. */
  readonly logging: Logging
  /** What is counted by the hour. */
  readonly hourMetrics: Metrics
  /** What is counted by the minute. */
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
