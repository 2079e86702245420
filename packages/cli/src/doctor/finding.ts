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

/** Makes the result of a check that passed. */
export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail }
}

/** Makes the result of a check that found something suspicious. */
export function warning(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'warning', detail, remedy }
}

/** Makes the result of a check that failed. */
export function failed(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'failed', detail, remedy }
}
