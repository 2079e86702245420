import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from './abort-error.ts'

/**
 * Awaits a request that follows a write of the same call.
 *
 * @param request - the request
 * @throws its error, which does not say that nothing was applied
 *
 * @example
 * ```ts
 * await table.insert(jones)
 * return afterWrite(table.get(['Smith', 'Jeff']))
 * ```
 */
export async function afterWrite<Result>(request: PromiseLike<Result>): Promise<Result> {
  try {
    return await request
  } catch (error) {
    throw inDoubt(error)
  }
}

/**
 * Returns an error that says that an earlier write of its call may have been applied.
 *
 * @param error - of the call
 */
export function inDoubt(error: unknown): unknown {
  if (error instanceof AbortError)
    return new AbortError({ reason: error.cause, mayHaveApplied: true })
  return isRowkeyError(error) ? Object.assign(error, { mayHaveApplied: true }) : error
}
