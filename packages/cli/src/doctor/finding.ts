/** The result of one check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** What was found. */
  readonly detail: string
  /** What to do; absent when the check is ok. */
  readonly remedy?: string | undefined
}
