/** Logging, metrics and CORS rules of an account's table service. */
export interface ServiceProperties {
  /** The requests to log. Leave it out of a write to keep it. */
  readonly logging?: LoggingProperties | undefined
  /** Metrics by the hour. Leave them out of a write to keep them. */
  readonly hourMetrics?: MetricsProperties | undefined
  /** Metrics by the minute. Leave them out of a write to keep them. */
  readonly minuteMetrics?: MetricsProperties | undefined
  /**
   * The CORS rules: at most 5, of 2 KiB together; the first rule that matches applies. Leave them out
   * of a write to keep them; an empty array removes all.
   */
  readonly cors?: readonly CorsRule[] | undefined
}

/** The requests that Storage Analytics logs. */
export interface LoggingProperties {
  /** Whether reads are logged. */
  readonly read: boolean
  /** Whether writes are logged. */
  readonly write: boolean
  /** Whether deletes are logged. */
  readonly delete: boolean
  /** Days to keep logs, 1 to 365; forever when absent. */
  readonly retentionDays?: number | undefined
}

/** The metrics that Storage Analytics keeps. */
export interface MetricsProperties {
  /** Whether the service records metrics. */
  readonly enabled: boolean
  /** Whether the service also records metrics for each operation; `false` when absent. */
  readonly includeApis?: boolean | undefined
  /** Days to keep metrics, 1 to 365; forever when absent. */
  readonly retentionDays?: number | undefined
}

/** What scripts of some origins may do in a browser. */
export interface CorsRule {
  /** The origins, such as `https://contoso.com`, or `*`: at most 64, each up to 256 characters. */
  readonly allowedOrigins: readonly string[]
  /** The methods, out of DELETE, GET, HEAD, MERGE, POST, OPTIONS, PUT and PATCH. */
  readonly allowedMethods: readonly string[]
  /** The headers that a request may have: at most 64, and 2 that end in `*`. */
  readonly allowedHeaders: readonly string[]
  /** The response headers that a script may see: at most 64, and 2 that end in `*`. */
  readonly exposedHeaders: readonly string[]
  /** Seconds that a browser may cache the rule. */
  readonly maxAgeInSeconds: number
}

/** The replication status of an account's copy in a second region. */
export interface ServiceStatistics {
  /** `live`, or why the copy cannot be read: `bootstrap` while it is created, or `unavailable`. */
  readonly status: string
  /** The copy has every write before this moment, UTC; absent when the service cannot say. */
  readonly lastSyncTime?: Date | undefined
}
