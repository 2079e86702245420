import type { InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { BulkEngine, type BulkWork } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { BufferSettings } from './bulk-options.ts'
import { addedSummary, type BulkSummary } from './bulk-outcome.ts'
import type { BulkOperation } from './bulk-target.ts'
import { openInput } from './input-reader.ts'

/**
 * Writes the operations of a buffered writer. It does not reject.
 *
 * @param work - what writes, and the options
 * @param operations - the operations, whose changes were made when they were added
 */
export async function writeBuffered(
  work: Pick<BulkWork, 'target' | 'settings'>,
  operations: readonly BulkOperation[],
): Promise<BulkSummary> {
  const engine = new BulkEngine({
    ...work,
    input: openInput(operations, `flush of a buffered writer of table ${work.target.table}`),
    toOperation: (item) => item as BulkOperation, // from `operations`
    outcomes: undefined,
  })
  const summary = await engine.run()
  // A flush that ended early has not read all of its operations.
  const unread = operations.length - summary.read
  return { ...summary, read: operations.length, failed: summary.failed + unread }
}

/**
 * Reports a flush to the caller's function.
 *
 * @param settings - have the function
 * @param summary - how the flush ended
 * @param before - what failed before and is not reported yet
 * @returns what the next `flush` reports; `undefined` when nothing failed
 */
export function report(
  { onFlush }: BufferSettings,
  summary: BulkSummary,
  before: BulkSummary | undefined,
): BulkSummary | undefined {
  const isIncomplete = summary.failed + summary.unknown > 0
  const unreported = isIncomplete ? addedSummary(before, summary) : before
  try {
    onFlush?.(summary)
    return unreported
  } catch (cause) {
    return { ...(unreported ?? summary), cause }
  }
}

/** Returns the error of a `flush` after failures. */
export function flushError(table: string, summary: BulkSummary): BulkError {
  return new BulkError({ table, summary })
}

/** Returns the error of an operation that comes after `close`. */
export function closedError(where: string): InputError {
  return mapperInputError({
    code: 'WriterClosed',
    message: `${where}: the writer is closed. Add operations before close(), or open another writer.`,
  })
}
