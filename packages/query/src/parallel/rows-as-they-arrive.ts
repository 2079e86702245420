import { quiet } from '../concurrency/results-in-order.ts'
import type { QueryRun } from '../run/query-run.ts'
import { runPages } from '../run/run-pages.ts'
import type { QueryOptions, QueryPage } from '../source/query-source.ts'

type Pages<Row> = AsyncGenerator<QueryPage<Row>, void, undefined>

/** A page, and the run that it is of. */
interface Arrival<Row> {
  readonly pages: Pages<Row>
  readonly result: IteratorResult<QueryPage<Row>, void>
}

/**
 * Yields the rows of several runs, page by page as they come. It fetches at most one page ahead of each
 * active run.
 *
 * @param runs - each begins when its turn comes
 * @param concurrency - how many run at once
 */
export async function* rowsAsTheyArrive<Row, Options extends QueryOptions>(
  runs: readonly QueryRun<Row, Options>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const prefetch = runs[0]?.prefetch
  const waiting = runs.values()
  const active = new Map<Pages<Row>, Promise<Arrival<Row>>>()
  const fetchNext = (pages: Pages<Row>) => active.set(pages, quiet(arrivalOf(pages)))
  const beginNext = () => {
    const { value: run } = waiting.next()
    // This function fetches the page ahead itself.
    if (run !== undefined) fetchNext(runPages({ ...run, prefetch: false }))
  }
  for (let begun = 0; begun < concurrency; begun++) beginNext()
  while (active.size > 0) {
    const { pages, result } = await Promise.race(active.values())
    active.delete(pages)
    if (result.done) {
      beginNext()
      continue
    }
    if (prefetch) fetchNext(pages)
    yield result.value.items
    if (!prefetch) fetchNext(pages)
  }
}

async function arrivalOf<Row>(pages: Pages<Row>): Promise<Arrival<Row>> {
  return { pages, result: await pages.next() }
}
