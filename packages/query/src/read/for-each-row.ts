import { checkValue, type Rule, rule } from '@rowkey/odata'
import { concurrencyRule } from '../concurrency/level-of-run.ts'
import { stoppable } from '../concurrency/results-in-order.ts'
import { checkArgument, rejectQuery } from '../errors/invalid-query.ts'
import { compileQuery } from '../node/query-node.ts'
import type { QueryOptions, QueryRun } from '../source/query-source.ts'
import { streamedRows } from './query-rows.ts'

/** How many calls of a handler are pending at once, unless the caller says otherwise. */
export const CALLS_AT_ONCE = 8

const handlerRule: Rule = rule(
  'a function of a row, such as (row) => archive(row)',
  (handler) => typeof handler === 'function',
)

/**
 * Calls a handler with each row, several at a time, and ends when all calls have. The first error ends
 * the run, and is thrown once the pending calls are over.
 *
 * @param run - the query, its source and its options
 * @param handler - called with each row
 * @param concurrency - how many calls are pending at once
 * @throws InputError with the code `InvalidQuery` for a handler that is not a function, and a concurrency
 * that is not a whole number from 1
 */
export async function forEachRow<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  handler: RowHandler<Row>,
  concurrency: number,
): Promise<void> {
  const { name: model } = run.node.model
  checkArgument(handler, handlerRule, 'The handler of .forEach', model)
  checkValue(concurrency, concurrencyRule, 'concurrency', '.forEach', rejectQuery)
  const { options, stop } = stoppable(run.options)
  const { signal } = options
  const shared = { ...run, options }
  const failures: unknown[] = []
  let pending = 0
  let wake: (() => void) | undefined
  const fail = (error: unknown) => {
    if (failures.push(error) === 1) stop()
  }
  const handle = async (row: Row) => {
    pending++
    try {
      await handler(row, signal)
    } catch (error) {
      fail(error)
    }
    pending--
    wake?.()
  }
  const untilFewer = async (than: number) => {
    while (pending >= than) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  try {
    for await (const rows of streamedRows(shared)) {
      for (const row of rows) {
        await untilFewer(concurrency)
        if (signal.aborted) throw await abortErrorOf(shared)
        void handle(row)
      }
    }
  } catch (error) {
    fail(error)
  }
  await untilFewer(1)
  if (failures.length > 0) throw failures[0]
}

/** The source's own error for a signal that has aborted: it sends nothing. */
async function abortErrorOf<Options extends QueryOptions>({
  node,
  source,
  options,
}: QueryRun<unknown, Options>): Promise<unknown> {
  try {
    await source.fetchPage(compileQuery(node), { projected: false }, options)
    // A source that ignores signals has sent it.
    return options.signal?.reason
  } catch (error) {
    return error
  }
}

/**
 * Handles one row.
 *
 * @param row - one row
 * @param signal - aborts when the caller's does, and when another call fails
 */
export type RowHandler<Row> = (row: Row, signal: AbortSignal) => unknown
