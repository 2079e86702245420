import { ticksOf, timestampOfEtag } from '@rowkey/odata'

/**
 * The ETag of the version that was stored last: the service makes an ETag of the Timestamp.
 *
 * @param etags - those of several writes of one entity, in any order
 * @returns `undefined` when there is none, and when there are several that hold no Timestamp, as
 * those of other services
 */
export function latestEtag(etags: readonly string[]): string | undefined {
  if (etags.length <= 1) return etags[0]
  let latest: { readonly etag: string; readonly ticks: bigint } | undefined
  for (const etag of etags) {
    const timestamp = timestampOfEtag(etag)
    if (timestamp === undefined) return undefined
    const ticks = ticksOf(timestamp)
    if (latest === undefined || ticks > latest.ticks) latest = { etag, ticks }
  }
  return latest?.etag
}
