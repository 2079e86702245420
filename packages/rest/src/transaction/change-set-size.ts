import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Change } from './check-change-set.ts'
import { ENVELOPE_BYTES, MOST_CHANGES, mostBytes, partLength } from './encode-change-set.ts'

/** More than the marker of any PartitionKey takes: 512 characters of three bytes. */
const MOST_MARKER_BYTES = 4096

/** How much one entity group transaction holds. */
export interface ChangeSetLimits {
  /** The most changes: 100, or 99 beside the marker of an exact write. */
  readonly changes: number
  /** The most bytes of all changes together, each as {@link changeBytes} counts it. */
  readonly bytes: number
  /** The bytes that every transaction has besides its changes; beside a marker, the most that it has. */
  readonly envelope: number
}

/**
 * Returns how much one entity group transaction of an account holds: 100 changes, and 4 MiB (2 MiB for
 * Cosmos DB) as it is sent.
 *
 * @param endpoint - the account
 * @param isExact - whether the transaction is an exact write, with a marker
 *
 * @example
 * ```ts
 * const { bytes } = changeSetLimits(service.endpoint)
 * const fits = changes.reduce((sum, change) => sum + changeBytes(change, service.endpoint), 0) <= bytes
 * ```
 */
export function changeSetLimits(endpoint: Endpoint, isExact = false): ChangeSetLimits {
  const envelope = ENVELOPE_BYTES + (isExact ? MOST_MARKER_BYTES : 0)
  const changes = isExact ? MOST_CHANGES - 1 : MOST_CHANGES
  return { changes, bytes: mostBytes(endpoint) - envelope, envelope }
}

/**
 * Counts the bytes that a change takes in an entity group transaction, exactly as it is sent.
 *
 * @param change - the operation and its input
 * @param endpoint - the account
 * @throws an InputError for an input that the operation rejects, such as an invalid key or an entity
 * that is too large
 */
export function changeBytes({ operation, input }: Change, endpoint: Endpoint): number {
  return partLength(operation.toRequest(input, endpoint))
}
