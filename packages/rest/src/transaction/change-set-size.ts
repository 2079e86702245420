import type { Endpoint } from '../endpoint/endpoint.ts'

/** The most changes in one entity group transaction. */
export const MOST_CHANGES = 100
const STORAGE_BYTES = 4 * 1024 * 1024
const COSMOS_BYTES = 2 * 1024 * 1024
/** The bytes of the body of an entity group transaction without its changes. */
export const ENVELOPE_BYTES = 116

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
 * Returns how many bytes the body of an entity group transaction may have.
 *
 * @param endpoint - the account
 */
export function mostBytes(endpoint: Endpoint): number {
  return endpoint.flavour === 'cosmos' ? COSMOS_BYTES : STORAGE_BYTES
}

/** Node can count without a copy. */
const nodeBuffer: typeof Buffer | undefined = globalThis.Buffer

/**
 * Counts the bytes of a text in UTF-8.
 *
 * @param text - any text
 */
export function utf8Length(text: string): number {
  return nodeBuffer === undefined
    ? new TextEncoder().encode(text).length
    : nodeBuffer.byteLength(text)
}
