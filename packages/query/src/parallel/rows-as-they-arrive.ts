import type { QueryOptions, QueryPage } from '../query-source.ts'
import type { QueryRun } from '../run/query-run.ts'
import { quiet } from '../run/results-in-order.ts'
import { runPages } from '../run/run-pages.ts'

type Pages<Row> = AsyncGenerator<QueryPage<Row>, void, undefined>

/** What a query gave, and which. */
interface Arrival<Row> {
  readonly pages: Pages<Row>
  readonly result: IteratorResult<QueryPage<Row>, void>
}

/**
 * The rows of several runs, page by page as they come. Of each run that is under way, one page at most
 * is fetched before it is asked for.
 *
 * @param runs - begun when their turn comes
 * @param concurrency - how many are under way at once
 */
export async function* rowsAsTheyArrive<Row, Options extends QueryOptions>(
  runs: readonly QueryRun<Row, Options>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const prefetch = runs[0]?.prefetch
  const waiting = runs.values()
  const underWay = new Map<Pages<Row>, Promise<Arrival<Row>>>()
  const goOn = (pages: Pages<Row>) => underWay.set(pages, quiet(arrivalOf(pages)))
  const beginNext = () => {
    const { value: run } = waiting.next()
    // The page ahead is asked for here.
    if (run !== undefined) goOn(runPages({ ...run, prefetch: false }))
  }
  for (let begun = 0; begun < concurrency; begun++) beginNext()
  while (underWay.size > 0) {
    const { pages, result } = await Promise.race(underWay.values())
    underWay.delete(pages)
    if (result.done) {
      beginNext()
      continue
    }
    if (prefetch) goOn(pages)
    yield result.value.items
    if (!prefetch) goOn(pages)
  }
}

async function arrivalOf<Row>(pages: Pages<Row>): Promise<Arrival<Row>> {
  return { pages, result: await pages.next() }
}
