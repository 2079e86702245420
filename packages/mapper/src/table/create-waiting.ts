import {
  type Operation,
  OptionValueError,
  perform,
  ServiceError,
  type TableAddress,
  type TableService,
} from '@rowkey/rest'
import type { CreateOptions } from './create-options.ts'

/** The service takes 40 seconds at least, and longer for large tables. */
const TWO_MINUTES = 120_000
const FIRST_WAIT = 1000
const LONGEST_WAIT = 5000

/**
 * Creates a table, again and again while the service still deletes one of its name, if that was
 * asked for.
 *
 * @throws ServiceError with the code `TableBeingDeleted` when the deletion took longer
 */
export async function createWaiting<Output>(
  service: TableService,
  operation: Operation<TableAddress, Output>,
  table: string,
  { waitForDeletion = false, ...call }: CreateOptions,
): Promise<Awaited<Output>> {
  const within = service.withDeadline(call)
  let left = longestWait(waitForDeletion, table)
  for (let delay = FIRST_WAIT; ; delay = Math.min(delay * 2, LONGEST_WAIT)) {
    try {
      return await perform(service, operation, { table }, within)
    } catch (error) {
      if (left === 0 || !isBeingDeleted(error)) throw error
    }
    const wait = Math.min(delay, left)
    left -= wait
    await service.sleep(wait, call.signal)
  }
}

function longestWait(given: unknown, table: string): number {
  if (typeof given === 'boolean') return given ? TWO_MINUTES : 0
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given
  throw new OptionValueError({
    message: `waitForDeletion of table ${table} must be true, false, or a whole number of milliseconds.`,
  })
}

function isBeingDeleted(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'TableBeingDeleted'
}
