/** Answers after which nobody knows whether a write was done. */
const DOUBTFUL_STATUSES: ReadonlySet<number> = new Set([408, 500, 502, 504])

/** The code with which the service itself turns a request away before touching anything. */
const SERVER_BUSY = 'ServerBusy'

/**
 * Whether a write that got this answer may have been applied all the same.
 *
 * A 503 is the service's own refusal only with the service's own code; without it some machine in
 * between has spoken, which may have passed the write on.
 *
 * @param status - the answer's HTTP status
 * @param code - the error code in the answer
 */
export function mayHaveAppliedAfter(status: number, code: string): boolean {
  return DOUBTFUL_STATUSES.has(status) || (status === 503 && code !== SERVER_BUSY)
}
