import {
  DeadlineError,
  type Operation,
  ServiceError,
  type TableAddress,
  type TableService,
} from '@rowkey/rest'
import type { CreateOptions } from './admin-options.ts'

/** The service takes 40 seconds at least, and longer for large tables. */
const TWO_MINUTES = 120_000
const FIRST_WAIT = 1000
const LONGEST_WAIT = 5000

/**
 * Creates a table. With `waitForDeletion` it retries while the service still deletes a table of the
 * same name.
 *
 * @throws ServiceError with the code `TableBeingDeleted` when the deletion took longer
 * @throws DeadlineError when the next wait would go past the deadline; the wait is not started
 */
export function createWaiting<Output>(
  service: TableService,
  operation: Operation<TableAddress, Output>,
  table: string,
  where: string,
  { waitForDeletion = false, ...options }: CreateOptions,
): Promise<Awaited<Output>> {
  return service.call(options, where, async (call): Promise<Awaited<Output>> => {
    let left = waitForDeletion === true ? TWO_MINUTES : Number(waitForDeletion)
    let attempts = 0
    for (let delay = FIRST_WAIT; ; delay = Math.min(delay * 2, LONGEST_WAIT)) {
      const wait = Math.min(delay, left)
      try {
        return await call.perform(operation, { table })
      } catch (cause) {
        if (wait === 0 || !isBeingDeleted(cause)) throw cause
        attempts += cause.attempts
        if (call.left <= wait) throw tooLate(table, attempts, cause)
      }
      left -= wait
      await call.wait(wait)
    }
  })
}

function tooLate(table: string, attempts: number, cause: ServiceError): DeadlineError {
  const message =
    `Table ${table} was not created within the deadline, after ${attempts} attempts: the service ` +
    'is still deleting a table of the same name.'
  return new DeadlineError({ message, mayHaveApplied: false, attempts, cause })
}

function isBeingDeleted(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'TableBeingDeleted'
}
