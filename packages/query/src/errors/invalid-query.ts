import {
  brokenRule,
  type InputError,
  type InputErrorDetails,
  type Reject,
  type Rule,
} from '@rowkey/odata'
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

/**
 * Checks an argument of a method of a query.
 *
 * @param value - the argument
 * @param rule - what it must be
 * @param argument - the argument and the method, such as "The limit of .take"
 * @param model - the name of the model that is queried
 * @throws InputError with the code `InvalidQuery`
 */
export function checkArgument(value: unknown, rule: Rule, argument: string, model: string): void {
  if (rule.accepts(value)) return
  throw invalidQuery(brokenRule(value, rule, `${argument} on ${model}`), { model })
}

/** Makes the error of a condition on one property, `Model.property`. */
export function invalidProperty(
  { name: model }: { readonly name: string },
  { property }: { readonly property: string },
  what: string,
): InputError {
  return invalidQuery(`${model}.${property} ${what}`, { model, property })
}
