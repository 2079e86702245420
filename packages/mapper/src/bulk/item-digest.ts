import { sha256 } from '../crypto/hash.ts'
import type { BulkOperation } from './bulk-target.ts'

const DIGEST_BYTES = 12

/** The properties that the service sets on rows of any kind. */
const SET_BY_SERVICE: ReadonlySet<string> = new Set(['odata.etag', 'Timestamp'])

/**
 * Returns a digest of an operation: 96 bits of SHA-256 over its kind, its ETag and the members of its
 * entity or key.
 *
 * @param operation - the operation
 * @param undigested - the members to leave out. Encrypted ones are among them, since a digest of a short
 * secret reveals it
 */
export function digestOf(
  { kind, etag, subject }: BulkOperation,
  undigested: ReadonlySet<string>,
): string {
  const text = JSON.stringify([kind, etag, membersOf(subject, undigested)], plainValue)
  const bytes = sha256(new TextEncoder().encode(text)).subarray(0, DIGEST_BYTES)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function membersOf(subject: object, undigested: ReadonlySet<string>): unknown {
  const { toJSON }: { readonly toJSON?: unknown } = subject
  const plain: object = typeof toJSON === 'function' ? Object(toJSON.call(subject)) : subject
  if (Array.isArray(plain)) return plain
  const members = Object.entries(plain).filter(
    ([name]) => !undigested.has(name) && !SET_BY_SERVICE.has(name),
  )
  return members.sort(([one], [other]) => (one < other ? -1 : 1))
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
