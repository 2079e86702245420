import { checkFunction, checkMethods } from '../errors/check-arguments.ts'

/** One source, and its next row. */
interface Head<Row> {
  readonly iterator: AsyncIterator<Row>
  /** The next row, or its end; requested before it is needed. */
  next: Promise<IteratorResult<Row>>
}

/**
 * Merges sorted sources into one sorted sequence, such as the queries of all buckets. All sources are read at once, each
 * one row ahead; a loop that ends early ends all of them.
 *
 * @param sources - the sources; each must be sorted by `compare`
 * @param compare - negative when the first row comes first, as in `Array.sort`. Of equal rows, the one of the earlier
 * source comes first
 *
 * @example
 * ```ts
 * const newest = mergeSorted(
 *   bucketsOf(16).map((bucket) => logs.query().where({ day, bucket })),
 *   (one, other) => other.at.getTime() - one.at.getTime(),
 * )
 * ```
 */
export async function* mergeSorted<Row>(
  sources: Iterable<AsyncIterable<Row>>,
  compare: (one: Row, other: Row) => number,
): AsyncGenerator<Row, void, undefined> {
  checkMethods(sources, 'mergeSorted', 'an iterable of sources', [Symbol.iterator])
  checkFunction(compare, 'The second argument of mergeSorted')
  const heads: Head<Row>[] = Array.from(sources, (source) => {
    checkMethods(source, 'A source of mergeSorted', 'an async iterable', [Symbol.asyncIterator])
    const iterator = source[Symbol.asyncIterator]()
    return { iterator, next: requested(iterator) }
  })
  const open = new Set(heads)
  try {
    while (open.size > 0) {
      const first = await firstOf(open, compare)
      if (first === undefined) continue
      first.head.next = requested(first.head.iterator)
      yield first.row
    }
  } finally {
    await Promise.allSettled(Array.from(open, ({ iterator }) => iterator.return?.()))
  }
}

/** The first row of all sources. Sources that have ended are removed. */
async function firstOf<Row>(
  open: Set<Head<Row>>,
  compare: (one: Row, other: Row) => number,
): Promise<{ readonly head: Head<Row>; readonly row: Row } | undefined> {
  let first: { readonly head: Head<Row>; readonly row: Row } | undefined
  for (const head of open) {
    const { done, value } = await head.next
    if (done) open.delete(head)
    else if (first === undefined || compare(value, first.row) < 0) first = { head, row: value }
  }
  return first
}

/** A row that is not awaited yet may fail, which counts only when it is. */
function requested<Row>(iterator: AsyncIterator<Row>): Promise<IteratorResult<Row>> {
  const next = iterator.next()
  next.catch(() => undefined)
  return next
}
