import { isRowkeyError } from '@rowkey/odata'
import { AuthenticationError } from '@rowkey/rest'

/**
 * Tells whether a credential is valid, but may not do what was tried, such as a signature for one table.
 *
 * @param error - what was thrown
 */
export function lacksPermission(error: unknown): boolean {
  if (!isRowkeyError(error)) return false
  if (error instanceof AuthenticationError) return error.code !== 'AuthenticationFailed'
  return error.code === 'OutsideSasScope'
}
