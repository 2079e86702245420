import {
  AmbiguousWriteError,
  type CallOptions,
  ServiceError,
  type TableService,
} from '@rowkey/rest'

/** How often a write starts again by default, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** Milliseconds of the first wait at most, and of the longest. */
const FIRST_WAIT = 50
const LONGEST_WAIT = 2_000

/**
 * Runs a read followed by a conditional write, and runs both again when another program was in between. It waits up
 * to 50 ms before the second attempt, then up to twice as long each time, and at most 2 s. The attempts are one series, so
 * that closing the account with `drain` waits for the last.
 *
 * @param service - has the clock, the randomness and the wait
 * @param attempt - reads, and writes on condition of what it read
 * @param options - the options of the call; its deadline covers all attempts
 * @param isRepeated - tells which errors another attempt may follow
 * @throws the last error after 10 attempts, and any other error at once
 */
export async function retryConflicts<Result>(
  service: TableService,
  attempt: (options: CallOptions) => Promise<Result>,
  options: CallOptions,
  isRepeated: (error: unknown) => boolean = isConflict,
): Promise<Result> {
  return service.pendingCalls.runSeries(service.withDeadline(options), async (within) => {
    for (let count = 1; ; count++) {
      try {
        return await attempt(within)
      } catch (error) {
        if (!isRepeated(error) || count === MAX_ATTEMPTS) throw error
        const longest = Math.min(FIRST_WAIT * 2 ** (count - 1), LONGEST_WAIT)
        await service.sleep(service.random() * longest, options.signal)
      }
    }
  })
}

/** Tells whether another program stored, changed or deleted a row that a write depends on. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code === 'TableNotFound') return false
  // The write was not sent.
  if (error.attempts === 0) return false
  return [404, 409, 412].includes(error.status)
}

/** Tells whether a write may have been applied, and may still arrive. */
export function isAmbiguous(error: unknown): error is AmbiguousWriteError {
  return error instanceof AmbiguousWriteError
}
