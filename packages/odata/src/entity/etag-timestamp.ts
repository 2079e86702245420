import { type DateTimeValue, findDateTime } from '../edm/date-time-value.ts'

const ETAG = /^W\/"datetime'([^'%]*)%3A([^'%]*)%3A([^'%]*)'"$/i

/**
 * The Timestamp that an ETag carries: the service makes one from the other.
 *
 * ETags are opaque, and services other than Azure's make them in other ways: no Timestamp then.
 *
 * @param etag - such as `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`
 * @returns `undefined` when the ETag is of another form
 *
 * @example
 * ```ts
 * timestampOfEtag(`W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`)?.toJSON() // '2017-11-10T02:46:55.7383596Z'
 * ```
 */
export function timestampOfEtag(etag: string): DateTimeValue | undefined {
  const match = ETAG.exec(etag)
  return match === null ? undefined : findDateTime(`${match[1]}:${match[2]}:${match[3]}`)
}
