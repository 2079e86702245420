import { parseDateTime } from '@rowkey/odata'
import type { ReadResult } from '../entity/entity-read.ts'
import type { EntityWrite } from '../entity/entity-write.ts'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import { hasSameContent, holdsContent } from './same-content.ts'

/**
 * Says by a stored entity whether a write was applied.
 *
 * @param write - what was to be written
 * @param found - what is stored now; `undefined` when nothing is
 * @param since - a moment before the write was first sent, by the service's clock
 */
export type Judge = (
  write: EntityWrite,
  found: ReadResult | undefined,
  since: number,
) => WriteOutcome

/**
 * Whether an entity was last written before a moment, and so not by a write that was sent later.
 *
 * @param found - what is stored now
 * @param since - milliseconds since 1970, UTC
 */
export function isOlder({ raw }: ReadResult, since: number): boolean {
  return typeof raw.Timestamp === 'string' && parseDateTime(raw.Timestamp).getTime() < since
}

/**
 * An insert, or a write of the whole entity whatever is stored. Someone else may have stored the very
 * same, so `'applied'` is no proof.
 */
export const judgeReplacement: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return hasSameContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** A write of some properties, whatever is stored. */
export const judgeMerge: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return holdsContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** A delete of whatever is stored: what is not there is deleted, by whomever. */
export const judgeDeletion: Judge = (_write, found, since) => {
  if (found === undefined) return 'applied'
  return isOlder(found, since) ? 'not applied' : 'unknown'
}

/**
 * A write that goes by an ETag, unless that is `'*'`. The same ETag is still there: it was not
 * applied. Another one: the write was the reason, or someone else was, and both look the same.
 *
 * @param judge - for `'*'`
 */
export function byCondition(judge: Judge): Judge {
  return (write, found, since) => {
    if (write.etag === '*') return judge(write, found, since)
    if (found === undefined) return 'unknown'
    return found.etag === write.etag || isOlder(found, since) ? 'not applied' : 'unknown'
  }
}
