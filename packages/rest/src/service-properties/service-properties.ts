/** What an account's table service logs, measures, and lets browsers do. */
export interface ServiceProperties {
  /** Which requests are logged. When written, leave it out to change nothing. */
  readonly logging?: LoggingProperties | undefined
  /** Figures by the hour. When written, leave them out to change nothing. */
  readonly hourMetrics?: MetricsProperties | undefined
  /** Figures by the minute. When written, leave them out to change nothing. */
  readonly minuteMetrics?: MetricsProperties | undefined
  /**
   * Which scripts of other origins a browser lets in: at most 5 rules of 2 KiB together, of which
   * the first that fits counts. When written, leave them out to change nothing; none removes all.
   */
  readonly cors?: readonly CorsRule[] | undefined
}

/** Which requests Storage Analytics logs. */
export interface LoggingProperties {
  /** Whether reads are logged. */
  readonly read: boolean
  /** Whether writes are logged. */
  readonly write: boolean
  /** Whether deletes are logged. */
  readonly delete: boolean
  /** Days that logs are kept, 1 to 365; until someone deletes them when absent. */
  readonly retentionDays?: number | undefined
}

/** Which figures Storage Analytics keeps. */
export interface MetricsProperties {
  /** Whether there are any. */
  readonly enabled: boolean
  /** Whether there are some for each operation as well; `false` when absent. */
  readonly includeApis?: boolean | undefined
  /** Days that figures are kept, 1 to 365; until someone deletes them when absent. */
  readonly retentionDays?: number | undefined
}

/** What scripts of some origins may do. */
export interface CorsRule {
  /** Origins such as `https://contoso.com`, or `*` for all: at most 64, each up to 256 characters. */
  readonly allowedOrigins: readonly string[]
  /** Methods, out of DELETE, GET, HEAD, MERGE, POST, OPTIONS, PUT and PATCH. */
  readonly allowedMethods: readonly string[]
  /** Headers that a request may have: at most 64, and 2 that end in `*`. */
  readonly allowedHeaders: readonly string[]
  /** Headers of the answer that the script may see: at most 64, and 2 that end in `*`. */
  readonly exposedHeaders: readonly string[]
  /** Seconds that a browser may remember the rule. */
  readonly maxAgeInSeconds: number
}

/** How far an account's copy in a second region is. */
export interface ServiceStatistics {
  /** `live`, or why the copy cannot be read: `bootstrap` while it is made, or `unavailable`. */
  readonly status: string
  /** Every write before this moment, UTC, is in the copy; absent when the service cannot say. */
  readonly lastSyncTime?: Date | undefined
}
