import { DecodeError } from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'

/**
 * What a query does with a row that cannot be read, such as one that another program wrote or that does
 * not fit the schema:
 *
 * - `throw`: the run ends with a DecodeError that names the table, the key and the property
 * - `skip`: the row is left out
 * - a function: it is called with that error and awaited, and the row is left out; what it throws ends the
 *   run
 */
export type BadRowPolicy = 'throw' | 'skip' | ((error: DecodeError) => unknown)

/**
 * Rejects an invalid {@link BadRowPolicy}.
 *
 * @param policy - the caller's
 * @param model - the model that is queried, for the message
 * @throws InputError with the code `InvalidQuery`
 */
export function checkBadRowPolicy(policy: unknown, model: string): asserts policy is BadRowPolicy {
  if (policy === 'throw' || policy === 'skip' || typeof policy === 'function') return
  const given = typeof policy === 'string' ? JSON.stringify(policy) : `a ${typeof policy}`
  throw invalidQuery(
    `.onBadRow on ${model} takes 'throw', 'skip' or a function of the error; got ${given}.`,
    { model },
  )
}

/**
 * Applies the policy to what reading a row threw.
 *
 * @param policy - what the query says; `undefined` is `'throw'`
 * @param thrown - what reading the row threw
 * @throws what was thrown, unless it is a DecodeError and the policy says otherwise
 */
export async function passOver(policy: BadRowPolicy | undefined, thrown: unknown): Promise<void> {
  if (policy === undefined || policy === 'throw' || !(thrown instanceof DecodeError)) throw thrown
  if (policy !== 'skip') await policy(thrown)
}
