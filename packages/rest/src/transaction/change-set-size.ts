import type { Endpoint } from '../endpoint/endpoint.ts'
import { type EntityWrite, type EntityWriteName, ifMatch } from '../request/entity-write.ts'
import { entityPath, entitySetPath, keyCheckOf } from '../request/path.ts'

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

/** The name of an operation that an entity group transaction may contain. The only read is `retrieveEntity`. */
export type ChangeName = EntityWriteName | 'retrieveEntity'

/** A {@link Change} by the name of its operation, so that the operation itself can be loaded later. */
export interface NamedChange {
  /** The name of the operation. */
  readonly operation: ChangeName
  /** The input of the operation. */
  readonly input: EntityWrite
}

/**
 * The bytes of each change without its address, ETag and body: the separator and the headers of the part, the request line, and the
 * headers of the request. A read is alone in its transaction, without a change set around it.
 */
const BARE_BYTES: Readonly<Record<ChangeName, number>> = {
  deleteEntity: 194,
  insertEntity: 241,
  insertOrMergeEntity: 215,
  insertOrReplaceEntity: 213,
  mergeEntity: 227,
  retrieveEntity: 79,
  updateEntity: 225,
}
/** How much longer `return-no-content` is than `return-content`. */
const QUIET_BYTES = 3
/** How much longer a merge is on Cosmos DB: a POST with the header `X-HTTP-Method`, in place of PATCH. */
const TUNNEL_BYTES = 21

/**
 * Counts the bytes that a change takes in an entity group transaction, exactly as {@link changeBytes} does, but without making
 * its request. It takes the name of the operation, so a bundle that counts does not contain the operations. Whether the service
 * accepts the entity is checked when it is sent.
 *
 * @param change - the name of the operation, and its input; the body is JSON
 * @param endpoint - the account
 * @throws an InputError (`InvalidTableName`, `InvalidEntityKey`, `MissingETag` or `InvalidETag`) for an address or an ETag that
 * cannot be sent
 *
 * @example
 * ```ts
 * const bytes = namedChangeBytes({ operation: 'insertEntity', input }, service.endpoint)
 * ```
 */
export function namedChangeBytes({ operation, input }: NamedChange, endpoint: Endpoint): number {
  let bytes = BARE_BYTES[operation] + headOf(operation, input, endpoint).length
  if (hasBody(operation)) bytes += utf8Length(input.body)
  if (operation === 'insertEntity' && input.echo === true) bytes -= QUIET_BYTES
  const isMerge = operation === 'mergeEntity' || operation === 'insertOrMergeEntity'
  return isMerge && endpoint.flavour === 'cosmos' ? bytes + TUNNEL_BYTES : bytes
}

/** Returns the address and the ETag of a change, which are ASCII, after the checks of its operation, in the same order. */
function headOf(operation: ChangeName, input: EntityWrite, endpoint: Endpoint): string {
  const { table, key } = input
  const isInsert = operation === 'insertEntity'
  let etag = operation === 'mergeEntity' ? ifMatch(operation, input) : ''
  if (isInsert) keyCheckOf(endpoint)(key)
  const path = isInsert ? entitySetPath(endpoint, table) : entityPath(endpoint, table, key)
  if (operation === 'updateEntity' || operation === 'deleteEntity') etag = ifMatch(operation, input)
  return endpoint.origin + path + etag
}

function hasBody(operation: ChangeName): boolean {
  return operation !== 'deleteEntity' && operation !== 'retrieveEntity'
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
