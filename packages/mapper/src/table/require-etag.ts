import { MissingETagError } from '@rowkey/rest'

/**
 * The ETag to go by.
 *
 * @param etag - the caller's, or the one the entity carries
 * @param call - the call, for the message
 * @throws {@link MissingETagError} when there is neither
 */
export function requireEtag(etag: string | undefined, call: string): string {
  if (etag !== undefined) return etag
  throw new MissingETagError({
    message:
      `${call} has no ETag to go by, so it could overwrite someone else's change. Read the ` +
      "entity first, so that it carries its ETag, or say { etag: '*' } to write whatever is " +
      'stored now.',
  })
}
