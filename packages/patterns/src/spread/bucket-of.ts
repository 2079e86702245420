import { checkText } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'

/** The most buckets: more partitions than one query can sensibly read at once. */
const MAX_BUCKETS = 1_000

/**
 * Returns the bucket of a text, from 0 up to but not including the number of buckets. Equal texts have equal buckets in
 * every program and version: the FNV-1a hash of their UTF-16 units decides.
 *
 * @param text - what is spread, such as the id of an entity
 * @param count - how many buckets there are, from 1 to 1,000. Changing it moves existing rows
 *
 * @example
 * ```ts
 * class LogEntry {
 *   at!: Date
 *   id!: string
 *   get bucket() { return bucketOf(this.id, 16) } // partitionKey: key`${'day:date'}_${'bucket:2'}`
 * }
 * ```
 */
export function bucketOf(text: string, count: number): number {
  checkText(text, 'The first argument of bucketOf')
  checkCount(count)
  return hashOf(text) % count
}

/** Returns the FNV-1a hash of a text: a whole number from 0 up to but not including 2³². */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  // The low bits of this hash alone are spread badly.
  hash ^= hash >>> 16
  return hash >>> 0
}

/** Returns all buckets: `[0, 1, …]`, for a query of each. */
export function bucketsOf(count: number): readonly number[] {
  checkCount(count)
  return Array.from({ length: count }, (_, bucket) => bucket)
}

function checkCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= MAX_BUCKETS) return
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `The number of buckets must be a whole number from 1 to ${MAX_BUCKETS}; got ${String(count)}.`,
  })
}
