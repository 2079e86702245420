import type { EntityKey } from '@rowkey/odata'
import { compareKeys } from './compare-keys.ts'
import type { KeyedRows } from './keyed-rows.ts'

/**
 * The rows of several streams in the order of their keys, a row that is in two of them once. Streams
 * are looked at as far as their rows can come next; as many as may be at once are begun ahead of that.
 *
 * @param given - in the order in which their rows can begin
 * @param concurrency - how many are under way at once, unless more of them overlap
 */
export async function* rowsInKeyOrder<Row>(
  given: readonly KeyedRows<Row>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const streams = [...given]
  const lookAhead = () => {
    for (const stream of streams.slice(0, concurrency)) stream.begin()
  }
  let ready: Row[] = []
  let last: EntityKey | undefined
  lookAhead()
  while (streams.length > 0) {
    const { next, missing } = nextStream(streams)
    if (missing !== undefined) {
      if (ready.length > 0) yield ready
      ready = []
      await missing.fill()
      if (missing.ended) streams.splice(streams.indexOf(missing), 1)
      lookAhead()
    } else {
      const taken = next?.take()
      if (taken === undefined) continue
      if (last === undefined || compareKeys(last, taken.key) !== 0) ready.push(taken.row)
      last = taken.key
    }
  }
  if (ready.length > 0) yield ready
}

/** The stream whose head comes next, or the first of which that must be known before one can say. */
function nextStream<Row>(streams: readonly KeyedRows<Row>[]): {
  next?: KeyedRows<Row> | undefined
  missing?: KeyedRows<Row>
} {
  let next: KeyedRows<Row> | undefined
  let lowest: EntityKey | undefined
  for (const stream of streams) {
    // Those that follow begin no sooner than this one.
    if (lowest !== undefined && compareKeys(lowest, stream.low) < 0) break
    const { head } = stream
    if (head === undefined) return { missing: stream }
    if (lowest !== undefined && compareKeys(lowest, head.key) <= 0) continue
    next = stream
    lowest = head.key
  }
  return { next }
}
