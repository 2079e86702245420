import { isRowkeyError } from '@rowkey/odata'
import { inOptions } from '../condition/explain-text.ts'

/** Reasons that the library explains to programs, by the code of the service: alone and in a transaction. */
const REASONS: Readonly<Record<string, string>> = {
  UpdateConditionNotSatisfied: 'The row has changed since it was read, and stays as it is.',
  ResourceNotFound: 'The row does not exist.',
}

/**
 * Says why a row was not written, to people who know its key.
 *
 * @param error - what was thrown
 */
export function failureText(error: unknown): string {
  const reason = isRowkeyError(error) ? REASONS[error.code] : undefined
  return reason ?? inOptions(error instanceof Error ? error.message : String(error))
}
