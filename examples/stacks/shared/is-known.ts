/** The text of an ETag; `W/` before it does not count (RFC 9110, 13.1.2). */
const TEXT = /"[^"]*"/g

/**
 * Tells whether a caller has the current version already: a `GET` is then a 304.
 *
 * @param etag - the ETag of the current version
 * @param ifNoneMatch - the header of the request: one ETag, a list of them, or `*`
 */
export function isKnown(etag: string | undefined, ifNoneMatch: string | null | undefined): boolean {
  const [current] = etag?.match(TEXT) ?? []
  if (current === undefined || !ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(TEXT)?.includes(current) ?? false
}
