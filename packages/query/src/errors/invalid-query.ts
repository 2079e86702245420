import type { InputError, InputErrorDetails, Reject } from '@rowkey/odata'
import { queryInputError } from './codes.ts'

/**
 * Makes the error of a query that can never be right.
 *
 * @param message - what is wrong, the rule, and the fix
 * @param details - the model and the property
 */
export function invalidQuery(message: string, details: InputErrorDetails = {}): InputError {
  return queryInputError({ code: 'InvalidQuery', message, details })
}

/** Makes the error of an invalid option of a query. */
export const rejectQuery: Reject = (message, option) =>
  invalidQuery(message, option === undefined ? {} : { option })
