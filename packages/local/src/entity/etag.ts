import { Rejection } from '../rejection/rejection.ts'
import type { StoredEntity } from './stored-entity.ts'

const ETAG = /^(?:W\/)?"[^"]*"$/

/**
 * Prints the ETag of a version: its time of writing as a weak entity tag.
 *
 * @param timestamp - as the service prints it
 */
export function printETag(timestamp: string): string {
  const hour = timestamp.slice(0, 13)
  const minute = timestamp.slice(14, 16)
  const rest = timestamp.slice(17)
  return `W/"datetime'${hour}%3A${minute}%3A${rest}'"`
}

/**
 * Rejects an If-Match that is neither `*` nor one entity tag.
 *
 * @throws Rejection InvalidInput
 */
export function checkETag(ifMatch: string): void {
  if (ifMatch === '*' || ETAG.test(ifMatch)) return
  throw new Rejection('InvalidInput', {
    text: `The etag value '${ifMatch}' specified in one of the request headers is not valid. Please make sure only one etag value is specified and is valid.`,
  })
}

/**
 * Returns the row that an If-Match requires: it must exist and have the ETag.
 *
 * @throws Rejection ResourceNotFound, or UpdateConditionNotSatisfied
 */
export function matchETag(current: StoredEntity | undefined, ifMatch: string): StoredEntity {
  if (current === undefined) throw new Rejection('ResourceNotFound')
  if (ifMatch !== '*' && ifMatch !== current.etag) {
    throw new Rejection('UpdateConditionNotSatisfied')
  }
  return current
}
