import { ETagError } from '../errors/etag-error.ts'
import { MissingETagError } from '../errors/missing-etag-error.ts'
import type { EntityWrite } from './entity-write.ts'

const HEADER_TEXT = /^[\x20-\x7e]+$/

/**
 * The ETag that a conditional write goes by, as the value of `If-Match`.
 *
 * @param operation - the operation's name, for the message
 * @param write - what is to be written
 * @throws {@link MissingETagError} when there is none
 * @throws {@link ETagError} when no header can carry it
 */
export function ifMatch(operation: string, write: EntityWrite): string {
  const { etag } = write
  if (etag === undefined || etag === '') {
    throw new MissingETagError({
      message: `${operation} in table ${write.table} needs an ETag. Pass the ETag the entity was read with, or '*' to write whatever is stored now.`,
    })
  }
  if (typeof etag === 'string' && HEADER_TEXT.test(etag)) return etag
  throw new ETagError({
    message: `The ETag for ${operation} in table ${write.table} is not one: it must be the text that the service gave, or '*'.`,
  })
}
