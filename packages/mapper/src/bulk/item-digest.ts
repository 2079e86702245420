import { DynamicEntity, fnv1a } from '@rowkey/odata'
import { toPlain } from '../plain/to-plain.ts'
import type { BulkOperation } from './bulk-target.ts'

/** The start of the second half of a digest. */
const SECOND_SEED = 0x2545f491

/** The properties that the service sets on rows of any kind. */
const SET_BY_SERVICE: ReadonlySet<string> = new Set(['odata.etag', 'Timestamp'])

/**
 * Returns a digest of an operation: two FNV-1a hashes of its kind, its ETag and the members of its
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
  return [fnv1a(text), fnv1a(text, SECOND_SEED)].map((half) => half.toString(36)).join('-')
}

function membersOf(subject: object, undigested: ReadonlySet<string>): unknown {
  if (Array.isArray(subject)) return subject
  // A toJSON of the caller's class may leave members out, and accessors are not its own.
  const own = subject instanceof DynamicEntity ? {} : subject
  const members = Object.entries({ ...own, ...Object(toPlain(subject)) }).filter(
    ([name]) => !undigested.has(name) && !SET_BY_SERVICE.has(name),
  )
  return members.sort(([one], [other]) => (one < other ? -1 : 1))
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
