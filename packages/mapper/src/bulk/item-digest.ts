import { DynamicEntity, fnv1a } from '@rowkey/odata'
import type { BulkOperation, BulkTarget } from './bulk-target.ts'

/** The start of the second half of a digest. */
const SECOND_SEED = 0x2545f491

/** The properties that the service sets on rows of any kind. */
const SET_BY_SERVICE: ReadonlySet<string> = new Set(['odata.etag', 'Timestamp'])

/**
 * Returns a digest of an operation: two FNV-1a hashes of its kind, its ETag and the members of its
 * entity or key.
 *
 * @param operation - the operation
 * @param target - tells which members count. Encrypted ones do not, since a digest of a short secret reveals it
 */
export function digestOf(
  { kind, etag, subject }: BulkOperation,
  target: Pick<BulkTarget, 'declared' | 'undigested'>,
): string {
  const text = JSON.stringify([kind, etag, membersOf(subject, target)], plainValue)
  return [fnv1a(text), fnv1a(text, SECOND_SEED)].map((half) => half.toString(36)).join('-')
}

/** A toJSON of the caller's class counts for nothing: it may leave members out. */
function membersOf(
  subject: object,
  { declared, undigested }: Pick<BulkTarget, 'declared' | 'undigested'>,
): unknown {
  if (Array.isArray(subject)) return subject
  const members: Readonly<Record<string, unknown>> = Object(
    subject instanceof DynamicEntity ? subject.toJSON() : subject,
  )
  // Accessors are not among the keys.
  const names = new Set([...Object.keys(members), ...declared])
  const own = [...names].filter((name) => !undigested.has(name) && !SET_BY_SERVICE.has(name))
  return own.sort().map((name) => [name, members[name]])
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
