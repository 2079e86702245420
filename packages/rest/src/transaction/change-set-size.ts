import type { Endpoint } from '../endpoint/endpoint.ts'
import {
  CLOSING,
  encodePart,
  headerLines,
  MOST_CHANGES,
  OPENING,
  PART_OPENING,
  utf8Length,
} from './change-set-part.ts'
import type { Change } from './check-change-set.ts'

const STORAGE_BYTES = 4 * 1024 * 1024
const COSMOS_BYTES = 2 * 1024 * 1024
/** The bytes of the body of an entity group transaction without its changes. */
const ENVELOPE_BYTES: number = OPENING.length + CLOSING.length

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
  const request = operation.toRequest(input, endpoint)
  return utf8Length(PART_OPENING + encodePart(request, headerLines(request.headers), 0))
}

/**
 * Returns how many bytes the body of an entity group transaction may have.
 *
 * @param endpoint - the account
 */
export function mostBytes(endpoint: Endpoint): number {
  return endpoint.flavour === 'cosmos' ? COSMOS_BYTES : STORAGE_BYTES
}
