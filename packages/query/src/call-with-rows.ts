import { compileQuery } from './compile-query.ts'
import { QueryError } from './errors/query-error.ts'
import { queryRows } from './query-rows.ts'
import type { QueryOptions } from './query-source.ts'
import { HandlerCalls, type RowHandler } from './run/handler-calls.ts'
import type { QueryRun } from './run/query-run.ts'
import { checkConcurrency } from './run/results-in-order.ts'
import { stoppable } from './run/stoppable.ts'

/** What is done with the rows of a run. */
export interface RowCalls<Row> {
  readonly handler: RowHandler<Row>
  /** How many calls of it are under way at once. */
  readonly concurrency: number
}

/**
 * Calls a handler with each row, several at a time, and ends when all calls have. The first error ends
 * the run, and is thrown once the calls under way are over.
 *
 * @param run - the query, and how it is to be run
 * @param how - what is done with its rows
 * @throws {@link QueryError} for a handler that is no function, and a concurrency that is no whole
 * number from 1
 */
export async function callWithRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  { handler, concurrency }: RowCalls<Row>,
): Promise<void> {
  checkHandler(run, handler)
  checkConcurrency(concurrency)
  const { options, stop } = stoppable(run.options)
  const { signal } = options
  const shared = { ...run, options }
  const calls = new HandlerCalls(handler, stop)
  try {
    for await (const rows of queryRows(shared)) {
      for (const row of rows) {
        await calls.atMost(concurrency - 1)
        if (signal.aborted) throw await whyAborted(shared)
        calls.begin(row, signal)
      }
    }
  } catch (error) {
    calls.fail(error)
  }
  await calls.end()
}

/** What the source says of a signal that has aborted: it refuses to send anything. */
async function whyAborted<Options extends QueryOptions>({
  node,
  source,
  options,
}: QueryRun<unknown, Options>): Promise<unknown> {
  try {
    await source.fetchPage(compileQuery(node), { projected: false }, options)
    // A source that knows of no signals has sent it.
    return options.signal?.reason
  } catch (error) {
    return error
  }
}

function checkHandler({ node }: QueryRun<unknown>, handler: unknown): void {
  if (typeof handler === 'function') return
  const { name: model } = node.model
  throw new QueryError({
    model,
    message: `.forEach on ${model} must be given a function that takes a row, such as (row) => archive(row).`,
  })
}
