import { isRowkeyError } from '@rowkey/odata'

/**
 * The word for an error that programs can group by: the code of one of Rowkey's, else its name.
 *
 * @param error - anything that was thrown
 */
export function errorCodeOf(error: unknown): string {
  if (isRowkeyError(error)) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
