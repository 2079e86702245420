import {
  and,
  comparison,
  type FilterNode,
  type InputError,
  literalOf,
  printFilter,
  TokenTrail,
} from '@rowkey/odata'
import {
  type CallOptions,
  checkOptions,
  createTable,
  createTableIfNotExists,
  DeadlineError,
  deleteTable,
  deleteTableIfExists,
  type Operation,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryTables,
  ServiceError,
  type SweepOptions,
  sweepMarkers,
  type TableAddress,
  type TableService,
} from '@rowkey/rest'
import { mapperInputError } from '../../errors/codes.ts'
import { describeKind } from '../../errors/describe-kind.ts'
import { isOverAfter } from '../call-options.ts'
import type { CreateOptions, TableNamesPage, TablesToList } from './admin-options.ts'

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
export async function createWaiting<Output>(
  service: TableService,
  operation: Operation<TableAddress, Output>,
  table: string,
  { waitForDeletion = false, ...call }: CreateOptions,
): Promise<Awaited<Output>> {
  const within = service.withDeadline(call)
  let left = longestWait(waitForDeletion, table)
  let attempts = 0
  for (let delay = FIRST_WAIT; ; delay = Math.min(delay * 2, LONGEST_WAIT)) {
    const wait = Math.min(delay, left)
    try {
      return await perform(service, operation, { table }, within)
    } catch (cause) {
      if (wait === 0 || !isBeingDeleted(cause)) throw cause
      attempts += cause.attempts
      if (isOverAfter(wait, service, within)) throw tooLate(table, attempts, cause)
    }
    left -= wait
    await service.sleep(wait, call.signal)
  }
}

function longestWait(given: unknown, table: string): number {
  if (typeof given === 'boolean') return given ? TWO_MINUTES : 0
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given
  throw mapperInputError({
    code: 'InvalidOptionValue',
    message: `waitForDeletion of table ${table} must be true, false, or a whole number of milliseconds.`,
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

/** Creates a table. */
export async function createNew(
  service: TableService,
  table: string,
  options: CreateOptions,
): Promise<void> {
  await createWaiting(service, createTable, table, options)
}

/** Creates a table unless it exists; tells whether it did. */
export function createMissing(
  service: TableService,
  table: string,
  options: CreateOptions,
): Promise<boolean> {
  return createWaiting(service, createTableIfNotExists, table, options)
}

/** Deletes a table and all its entities. */
export async function drop(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<void> {
  await perform(service, deleteTable, { table }, options)
}

/** Deletes a table if it exists; tells whether it did. */
export async function dropExisting(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<boolean> {
  return perform(service, deleteTableIfExists, { table }, options)
}

/** Yields the pages of a list of tables. */
export async function* tablePages(
  service: TableService,
  tables: TablesToList,
  call: CallOptions,
  options: { readonly continuationToken?: string | undefined },
): AsyncGenerator<TableNamesPage, void, undefined> {
  checkOptions(options, ['continuationToken'], 'byPage of tables')
  const filter = tablesFilter(tables)
  const query = { filter: filter && printFilter(filter), top: tables.pageSize }
  const within = service.withDeadline(call)
  const trail = new TokenTrail('Tables', options.continuationToken)
  let token = options.continuationToken
  do {
    const continuation = token === undefined ? undefined : parseContinuationToken(token)
    const page = await perform(service, queryTables, { ...query, continuation }, within)
    token = page.continuation && printContinuationToken(page.continuation)
    trail.step(token, page.tables.length)
    yield { names: page.tables, continuationToken: token }
  } while (token !== undefined)
}

/**
 * Joins the conditions of a list.
 *
 * @throws InputError (`InvalidOptionValue`) for a prefix that is not text, and a filter that is
 */
export function tablesFilter({ name, prefix, filter }: TablesToList): FilterNode | undefined {
  if (prefix !== undefined && typeof prefix !== 'string') {
    throw invalidListOption(`prefix of tables must be text, not ${describeKind(prefix)}.`)
  }
  if (typeof filter === 'string') {
    throw invalidListOption(
      "filter of tables must come from the template function filter, such as filter`TableName ge 'm'`.",
    )
  }
  const conditions = [
    ...(name === undefined ? [] : [compared('eq', name)]),
    // Names have letters and digits, and `{` follows `z`.
    ...(prefix ? [compared('ge', prefix), compared('lt', `${prefix}{`)] : []),
    ...(filter === undefined ? [] : [filter]),
  ]
  return conditions.length === 0 ? undefined : and(...conditions)
}

function invalidListOption(message: string): InputError {
  return mapperInputError({ code: 'InvalidOptionValue', message })
}

function compared(operator: 'eq' | 'ge' | 'lt', name: string): FilterNode {
  return comparison('TableName', operator, literalOf(name))
}

/** Tells whether a table exists; the primary decides when the secondary does not list it. */
export async function tableExists(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<boolean> {
  const within = service.withDeadline(options)
  if (await isListed(service, table, within)) return true
  const mode = options.locationMode ?? service.locationMode
  if (mode === 'primaryOnly' || mode === 'secondaryOnly') return false
  return isListed(service, table, { ...within, locationMode: 'primaryOnly' })
}

async function isListed(
  service: TableService,
  name: string,
  options: CallOptions,
): Promise<boolean> {
  for await (const { names } of tablePages(service, { name }, options, {})) {
    if (names.length > 0) return true
  }
  return false
}

/** Deletes the markers of exact writes; returns how many. */
export function sweepTable(
  service: TableService,
  table: string,
  options: SweepOptions,
): Promise<number> {
  const within = service.withDeadline(options)
  return sweepMarkers((...call) => perform(service, ...call), table, within)
}
