import { DynamicEntity, fnv1a } from '@rowkey/odata'
import type { EntityModel } from '../../model/entity-model.ts'
import { toPlain } from '../../plain/to-plain.ts'
import type { SelfMapped } from '../../self-mapping/self-mapped.ts'
import type { BulkOperation, BulkTarget } from '../bulk-target.ts'

/** The start of the second half of a digest. */
const SECOND_SEED = 0x2545f491

/**
 * Returns a digest of an operation: two FNV-1a hashes of its kind, its ETag, the members of its entity or key, and what an entity
 * that maps itself stores. It leaves out members that are not stored, that the service sets, and encrypted ones: a digest of a
 * short secret reveals it.
 *
 * @param operation - the operation
 * @param target - the table
 */
export function digestOf(
  { kind, etag, subject }: BulkOperation,
  target: Pick<BulkTarget, 'modelOf'>,
): string {
  const parts: unknown[] = [kind, etag, membersOf(subject, target.modelOf(subject))]
  if (kind !== 'delete' && 'writeEntity' in subject) {
    const stored = new DynamicEntity('', '')
    ;(subject as SelfMapped).writeEntity(stored)
    parts.push(toPlain(stored))
  }
  const text = JSON.stringify(parts, plainValue)
  return [fnv1a(text), fnv1a(text, SECOND_SEED)].map((half) => half.toString(36)).join('-')
}

function membersOf(subject: object, model: EntityModel<object> | undefined): unknown {
  if (Array.isArray(subject)) return subject
  // A toJSON of the caller's class may leave members out, and accessors are not its own.
  const own = subject instanceof DynamicEntity ? {} : subject
  const { columns = [], ignored = [], etag, timestamp, times = {} } = model ?? {}
  const encrypted = columns.flatMap(({ encryption, property }) => (encryption ? property : []))
  // The service sets the first two on rows of any kind.
  const kept = [times.createdAt?.property, times.updatedAt?.property]
  const others = ['odata.etag', 'Timestamp', ...ignored, ...encrypted, etag, timestamp, ...kept]
  const members = Object.entries({ ...own, ...Object(toPlain(subject, model)) }).filter(
    ([name]) => !others.includes(name),
  )
  return members.sort(([one], [other]) => (one < other ? -1 : 1))
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
