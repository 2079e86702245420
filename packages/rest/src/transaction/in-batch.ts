import type { Endpoint } from '../endpoint/endpoint.ts'
import { partNotLoaded } from '../errors/part-not-loaded.ts'
import type { Operation } from '../request/operation.ts'

/**
 * Returns the form of an operation that reaches keys with a percent sign in a batch. Few accounts need it, so
 * its module is loaded with their first call, and not awaited again.
 *
 * @param operation - an operation on one entity
 * @param endpoint - the account
 */
export function inBatch<Input, Output>(
  operation: Operation<Input, Output>,
  endpoint: Endpoint,
): Operation<Input, Output> | Promise<Operation<Input, Output>> {
  return inBatchForPercent?.(operation, endpoint) ?? loadInBatch(operation, endpoint)
}

let inBatchForPercent: typeof import('./percent-keys.ts').inBatchForPercent | undefined

async function loadInBatch<Input, Output>(
  operation: Operation<Input, Output>,
  endpoint: Endpoint,
): Promise<Operation<Input, Output>> {
  inBatchForPercent = (await import('./percent-keys.ts').catch(partNotLoaded)).inBatchForPercent
  return inBatchForPercent(operation, endpoint)
}
